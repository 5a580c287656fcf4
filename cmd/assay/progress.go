package main

import (
	"context"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress is a bar on the terminal for long work; without a terminal it shows nothing.
type progress struct {
	all *mpb.Progress
	bar *mpb.Bar
}

// progress begins a bar that counts things.
func (a *app) progress(ctx context.Context, things string) *progress {
	if !a.env.Progress {
		return &progress{}
	}
	all := mpb.NewWithContext(ctx, mpb.WithOutput(a.env.Stderr), mpb.WithWidth(40))
	bar := all.New(0, mpb.BarStyle().Lbound("").Filler("█").Tip("█").Padding("░").Rbound(""),
		mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.CountersNoUnit("%d / %d "+things), decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)))
	return &progress{all: all, bar: bar}
}

// show says how far the work is.
func (p *progress) show(done, total int) {
	if p.bar != nil {
		p.bar.SetTotal(int64(total), false)
		p.bar.SetCurrent(int64(done))
	}
}

// teller returns what says how far the work is: nil where nobody sees it, so that nobody counts how much there is.
func (p *progress) teller() func(done, total int) {
	if p.bar == nil {
		return nil
	}
	return p.show
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.all.Wait()
	}
}
