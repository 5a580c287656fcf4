package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
	"assay/registry/input"
	"assay/registry/interchange"
)

// converted is a puzzle in another form: the object convert/1.
type converted struct {
	Schema string `json:"schema"`
	ID     string `json:"id"`
	Format string `json:"format"`
	Text   string `json:"text"`
}

func (a *app) convertCommand() *cobra.Command {
	var f puzzleFlags
	var to string
	cmd := &cobra.Command{
		Use:   "convert [PUZZLE]",
		Short: "Write a puzzle, or a file of them, in another form",
		Long: "Write a puzzle, or a file of them, in another form. What the form cannot hold is told on standard error, with the place in the\n" +
			"file, and the rest is written. The forms are: " + strings.Join(formatNames(a.genres()), " ") + ".",
		Args: cobra.MaximumNArgs(1),
	}
	cmd.RunE = f.run(a, func(ctx context.Context, r *registry.Registry, args []string) error {
		rec, err := r.Show(ctx, args[0])
		if err != nil {
			return err
		}
		return a.convertOne(to, raters.Puzzle{Genre: rec.Genre, Variant: rec.Variant, Text: rec.Text})
	}, func(_ *cobra.Command, args []string) error {
		if f.in != "" {
			return a.convertFile(f, to)
		}
		p, _, err := f.read(a.genres(), args[0])
		if err != nil {
			return err
		}
		return a.convertOne(to, p)
	})
	f.add(cmd)
	cmd.Flags().StringVar(&to, "to", "line81", "the form to write")
	return cmd
}

// formatNames lists the forms in which puzzles of some genre are written.
func formatNames(genres []raters.Genre) (names []string) {
	for _, g := range genres {
		for _, f := range interchange.Formats(g.Name) {
			if f.Write != nil && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// converter writes puzzles in a form.
type converter struct {
	*printer
	app  *app
	to   string
	tail string // "" before the first puzzle
	some bool
}

func (a *app) convertOne(to string, p raters.Puzzle) error {
	c := converter{printer: a.printer(), app: a, to: to}
	if err := c.write(p); err != nil {
		var cannot *raters.RequestError
		if errors.As(err, &cannot) {
			err = &input.Error{Reason: cannot.Reason}
		}
		return err
	}
	return c.finish()
}

// write writes a puzzle; what the form cannot hold is a *raters.RequestError.
func (c *converter) write(p raters.Puzzle) error {
	format, err := interchange.Find(p.Genre, c.to)
	if err != nil {
		return err
	}
	text, err := format.Write(p)
	if err != nil {
		return err
	}
	if c.app.json {
		return c.json.Encode(converted{Schema: "convert/1", ID: p.ID(), Format: format.Name, Text: text})
	}
	if !c.some {
		c.WriteString(format.Head)
	} else if strings.Contains(text, "\n") {
		c.WriteString("\n")
	}
	c.some, c.tail = true, format.Tail
	c.WriteString(text + "\n")
	return nil
}

func (c *converter) finish() error {
	c.WriteString(c.tail)
	return c.Flush()
}

// convertFile writes every puzzle of a file, and tells of each that is none or that the form cannot hold.
func (a *app) convertFile(f puzzleFlags, to string) error {
	if names := formatNames(a.genres()); !slices.Contains(names, to) {
		return input.Errorf("no form %q: there are %s", to, strings.Join(names, ", "))
	}
	reader, err := f.reader(a.genres())
	if err != nil {
		return err
	}
	file, err := a.open(f.in)
	if err != nil {
		return err
	}
	defer file.Close()
	c, code := converter{printer: a.printer(), app: a, to: to}, exitDone
	for text := range reader.Texts(file) {
		err := c.convert(reader, text)
		var syntax *raters.SyntaxError
		if errors.As(err, &syntax) {
			code, err = exitInput, c.tell(syntax)
		}
		if err != nil {
			return errors.Join(err, c.Flush())
		}
	}
	if err := c.finish(); err != nil || code == exitDone {
		return err
	}
	return &exitError{code}
}

// convert writes the puzzle of a text of a file. Its errors have the places of the file.
func (c *converter) convert(reader interchange.Reader, text interchange.Text) error {
	rec, err := reader.Record(text)
	if err == nil {
		err = c.write(rec.Puzzle)
	}
	var cannot *raters.RequestError
	if errors.As(err, &cannot) {
		err = &raters.SyntaxError{Line: 1, Column: 1, Reason: cannot.Reason}
	}
	return text.Place(err)
}

// tell tells what is wrong with a record, beside what is written.
func (c *converter) tell(err *raters.SyntaxError) error {
	if c.app.json {
		return c.app.printLineError(c.printer, "", err)
	}
	c.app.complain(err.Error())
	return nil
}
