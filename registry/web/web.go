// Package web serves pages for people: rendered here, without a script and without another host.
package web

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"assay/events/plain"
	"assay/registry/public"
	"assay/registry/schedule"
)

//go:embed page.html style.css
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"tile": strings.NewReplacer("-", "−", "*", "×", "/", "÷", "swap", "swap digits").Replace,
	"pips": func(n int) []struct{} { return make([]struct{}, n) },
	"long": long,
	"rows": rows,
}).ParseFS(files, "page.html"))

// cell is a cell of a grid on the page; its edges are the classes of the borders of its box.
type cell struct{ Text, Edge string }

func rows(g *public.PublicGrid) (all [][]cell) {
	for row := range g.Rows {
		line := make([]cell, g.Columns)
		for column := range line {
			line[column].Text = g.Cells[row*g.Columns+column]
			if g.BoxRows > 0 && row > 0 && row%g.BoxRows == 0 {
				line[column].Edge += "top "
			}
			if g.BoxColumns > 0 && column > 0 && column%g.BoxColumns == 0 {
				line[column].Edge += "left"
			}
		}
		all = append(all, line)
	}
	return all
}

func long(date string) string {
	d, err := schedule.ParseDate(date)
	if err != nil {
		return date
	}
	return d.Long()
}

// Register adds the routes of the pages: today's board and the archive at /, a released day at /days/<date>.
func Register(mux *http.ServeMux, r *public.Reader, log *slog.Logger) {
	s := server{public: r, log: log}
	mux.HandleFunc("GET /{$}", s.today)
	mux.HandleFunc("GET /days/{date}", s.day)
	mux.Handle("GET /style.css", http.FileServerFS(files))
}

type server struct {
	public *public.Reader
	log    *slog.Logger
}

// pageDays is how many days of the archive a page lists.
const pageDays = 50

// labelName is a label and what people read for it.
type labelName struct{ Label, Name string }

// shown is what the page shows: a day, or that there is none, and a page of the archive.
type shown struct {
	Day     *public.PublicDay
	Message string
	Labels  []labelName  // all labels of the archive, with their newest names
	Label   string       // the one that is listed, "" for all
	Archive []public.Day // newest first
	Older   string       // where the next page begins: its days are before this date; "" at the end
}

func (s server) today(w http.ResponseWriter, req *http.Request) {
	series, err := s.public.FirstSeries(req.Context())
	if err != nil {
		s.fail(w, err)
		return
	}
	date, err := s.public.Today(series)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.show(w, req, series, date)
}

func (s server) day(w http.ResponseWriter, req *http.Request) {
	date, err := schedule.ParseDate(req.PathValue("date"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	series, err := s.public.FirstSeries(req.Context())
	if err != nil {
		s.fail(w, err)
		return
	}
	s.show(w, req, series, date)
}

func (s server) show(w http.ResponseWriter, req *http.Request, series string, date schedule.Date) {
	view := shown{}
	status := http.StatusOK
	day, err := s.public.Day(req.Context(), series, date)
	var missing *public.NotReleasedError
	var withdrawn *public.WithdrawnError
	switch {
	case errors.As(err, &missing):
		view.Message, status = missing.Error(), http.StatusNotFound
	case errors.As(err, &withdrawn):
		view.Message, status = withdrawn.Error(), http.StatusGone
	case err != nil:
		s.fail(w, err)
		return
	default:
		view.Day = &day
	}
	days, err := s.public.Days(req.Context(), public.Query{Series: series})
	if err != nil {
		s.fail(w, err)
		return
	}
	view.list(days, req.URL.Query().Get("label"), req.URL.Query().Get("before"))
	var b bytes.Buffer
	if err := page.Execute(&b, view); err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, plain.EscapeLines(b.String())) // a reader that went away is no fault of ours
}

// list turns the released days into a page of the archive.
func (v *shown) list(days []public.Day, label, before string) {
	v.Label = label
	for _, d := range slices.Backward(days) {
		if !slices.ContainsFunc(v.Labels, func(l labelName) bool { return l.Label == d.Label }) {
			v.Labels = append(v.Labels, labelName{d.Label, d.LabelName})
		}
		switch {
		case label != "" && d.Label != label, before != "" && d.Date >= before, v.Older != "":
		case len(v.Archive) == pageDays:
			v.Older = v.Archive[pageDays-1].Date
		default:
			v.Archive = append(v.Archive, d)
		}
	}
	slices.SortFunc(v.Labels, func(a, b labelName) int { return strings.Compare(a.Label, b.Label) })
}

func (s server) fail(w http.ResponseWriter, err error) {
	s.log.Error("page", "error", err)
	http.Error(w, "the registry could not answer", http.StatusInternalServerError)
}
