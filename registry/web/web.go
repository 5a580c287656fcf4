// Package web serves pages for people. It renders them without scripts and without another host.
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
	"assay/registry/drawing"
	"assay/registry/public"
	"assay/registry/schedule"
)

//go:embed *.html style.css
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"pips":  func(n int) []struct{} { return make([]struct{}, n) },
	"long":  long,
	"class": class,
}).ParseFS(files, "*.html"))

// class returns the CSS classes of a place of a board: its kind, and the sides with outlines of boxes and cages.
func class(p drawing.Place) string {
	classes := []string{string(p.Kind)}
	if p.Shaded {
		classes = append(classes, "shaded")
	}
	if p.Kind != drawing.Outside && p.Edges == [4]drawing.Weight{} {
		classes = append(classes, "open")
	}
	for side, name := range [...]string{drawing.Top: "top", drawing.Right: "right", drawing.Bottom: "bottom", drawing.Left: "left"} {
		if p.Edges[side] == drawing.Thick {
			classes = append(classes, name)
		}
		if p.Cage[side] {
			classes = append(classes, "cage-"+name)
		}
	}
	return strings.Join(classes, " ")
}

func long(date string) string {
	d, err := schedule.ParseDate(date)
	if err != nil {
		return date
	}
	return d.Long()
}

// Register adds the routes of the pages: today's board and the archive at /, a released day at /days/<date>, why it got its
// label at /days/<date>/why, its board alone as a picture at /days/<date>/board.svg.
func Register(mux *http.ServeMux, r *public.Reader, log *slog.Logger) {
	s := server{public: r, log: log}
	mux.HandleFunc("GET /{$}", s.today)
	mux.HandleFunc("GET /days/{date}", s.day)
	mux.HandleFunc("GET /days/{date}/why", s.why)
	mux.HandleFunc("GET /days/{date}/board.svg", s.picture)
	mux.Handle("GET /style.css", http.FileServerFS(files))
}

type server struct {
	public *public.Reader
	log    *slog.Logger
}

// pageDays is how many days of the archive a page lists.
const pageDays = 50

// labelName is a label and its name for readers.
type labelName struct{ Label, Name string }

// shown is the content of the page: a day, or that there is none, and a page of the archive.
type shown struct {
	Day     *public.PublicDay
	Message string
	Labels  []labelName  // all labels of the archive, with their newest names
	Label   string       // the label whose days are listed, "" for all
	Archive []public.Day // newest first
	Older   string       // the next page has days before this date; "" on the last page
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
	if series, date, ok := s.dated(w, req); ok {
		s.show(w, req, series, date)
	}
}

// dated returns the day that a request names. If there is none, it has answered the request.
func (s server) dated(w http.ResponseWriter, req *http.Request) (series string, date schedule.Date, ok bool) {
	date, err := schedule.ParseDate(req.PathValue("date"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return "", date, false
	}
	if series, err = s.public.FirstSeries(req.Context()); err != nil {
		s.fail(w, err)
	}
	return series, date, err == nil
}

// reasons are the content of the page about a day's label.
type reasons struct {
	Day   public.PublicDay
	Words public.Words
}

// why answers with the reasons for a day's label.
func (s server) why(w http.ResponseWriter, req *http.Request) {
	series, date, ok := s.dated(w, req)
	if !ok {
		return
	}
	day, words, err := s.public.Why(req.Context(), series, date)
	if s.failed(w, err) {
		return
	}
	s.render(w, http.StatusOK, "why.html", reasons{day, words})
}

// picture answers with the picture of a day's board.
func (s server) picture(w http.ResponseWriter, req *http.Request) {
	series, date, ok := s.dated(w, req)
	if !ok {
		return
	}
	day, err := s.public.Day(req.Context(), series, date)
	if s.failed(w, err) {
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	io.WriteString(w, plain.EscapeLines(day.Layout().SVG(date.Long()+" · "+day.LabelName))) // an error means only that the client went away
}

// absent returns the HTTP status for a day that may not be seen, and 0 for any other error or none.
func absent(err error) (status int) {
	var missing *public.NotReleasedError
	var withdrawn *public.WithdrawnError
	switch {
	case errors.As(err, &missing):
		return http.StatusNotFound
	case errors.As(err, &withdrawn):
		return http.StatusGone
	}
	return 0
}

func (s server) show(w http.ResponseWriter, req *http.Request, series string, date schedule.Date) {
	view, status := shown{}, http.StatusOK
	day, err := s.public.Day(req.Context(), series, date)
	switch gone := absent(err); {
	case gone != 0:
		view.Message, status = err.Error(), gone
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
	s.render(w, status, "page.html", view)
}

// render answers with a page.
func (s server) render(w http.ResponseWriter, status int, name string, view any) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, view); err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, plain.EscapeLines(b.String())) // an error means only that the client went away
}

// list makes a page of the archive from the released days.
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

// failed answers the request if a day may not be seen or an error occurred; else it returns false.
func (s server) failed(w http.ResponseWriter, err error) bool {
	if status := absent(err); status != 0 {
		http.Error(w, err.Error(), status)
	} else if err != nil {
		s.fail(w, err)
	}
	return err != nil
}

func (s server) fail(w http.ResponseWriter, err error) {
	s.log.Error("page", "error", err)
	http.Error(w, "the registry could not answer", http.StatusInternalServerError)
}
