// Package api serves the public part of a registry as JSON over HTTP, with an OpenAPI description made from the code.
package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"assay/events/plain"
	"assay/registry/input"
	"assay/registry/public"
	"assay/registry/schedule"
)

// Register adds the API's routes, all under /v1 but the description at /openapi.json.
func Register(mux *http.ServeMux, r *public.Reader, log *slog.Logger) {
	config := huma.DefaultConfig("assay", "1")
	config.DocsPath = "" // the documentation page would load files from another host
	config.CreateHooks = nil
	config.Formats = map[string]huma.Format{"application/json": escapedJSON, "json": escapedJSON}
	api := humago.New(mux, config)
	s := server{public: r, log: log}
	huma.Register(api, huma.Operation{
		OperationID: "day", Method: http.MethodGet, Path: "/v1/series/{series}/{date}",
		Summary: "A released day", Errors: []int{http.StatusNotFound, http.StatusGone},
	}, s.day)
	huma.Register(api, huma.Operation{
		OperationID: "days", Method: http.MethodGet, Path: "/v1/series/{series}",
		Summary: "The released days of a series, in order of date",
	}, s.days)
}

// escapedJSON is JSON in which no character changes the direction of writing. The values are the same.
var escapedJSON = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		var b bytes.Buffer
		if err := huma.DefaultJSONFormat.Marshal(&b, v); err != nil {
			return err
		}
		_, err := io.WriteString(w, plain.EscapeLines(b.String()))
		return err
	},
	Unmarshal: huma.DefaultJSONFormat.Unmarshal,
}

type server struct {
	public *public.Reader
	log    *slog.Logger
}

type dayInput struct {
	Series string `path:"series" maxLength:"40"`
	Date   string `path:"date" maxLength:"10" doc:"YYYY-MM-DD in the series' zone"`
}

type dayOutput struct{ Body public.PublicDay }

func (s server) day(ctx context.Context, in *dayInput) (*dayOutput, error) {
	date, err := schedule.ParseDate(in.Date)
	if err != nil {
		return nil, huma.Error404NotFound(err.Error())
	}
	day, err := s.public.Day(ctx, in.Series, date)
	if err != nil {
		return nil, s.problem(ctx, err)
	}
	return &dayOutput{Body: day}, nil
}

type daysInput struct {
	Series string `path:"series" maxLength:"40"`
	From   string `query:"from" maxLength:"10" doc:"first date, YYYY-MM-DD"`
	To     string `query:"to" maxLength:"10" doc:"last date, YYYY-MM-DD"`
	Label  string `query:"label" maxLength:"40"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

type daysOutput struct{ Body []public.Day }

func (s server) days(ctx context.Context, in *daysInput) (*daysOutput, error) {
	days, err := s.public.Days(ctx, public.Query{Series: in.Series, From: in.From, To: in.To, Label: in.Label, Limit: in.Limit})
	if err != nil {
		return nil, s.problem(ctx, err)
	}
	return &daysOutput{Body: append([]public.Day{}, days...)}, nil
}

// problem returns the answer for an error. Internal errors are logged and not shown to the client.
func (s server) problem(ctx context.Context, err error) error {
	var missing *public.NotReleasedError
	if errors.As(err, &missing) {
		return huma.Error404NotFound(missing.Error())
	}
	var withdrawn *public.WithdrawnError
	if errors.As(err, &withdrawn) {
		return huma.Error410Gone(withdrawn.Error())
	}
	var wrong *input.Error
	if errors.As(err, &wrong) {
		return huma.Error422UnprocessableEntity(wrong.Reason)
	}
	if ctx.Err() == nil { // else the client went away
		s.log.Error("api", "error", err)
	}
	return huma.Error500InternalServerError("the registry could not answer")
}
