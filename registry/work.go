package registry

import (
	"assay/registry/jobs"
)

// crew is where raters and generators run.
func (r *Registry) crew() jobs.Crew {
	if r.Crew == nil {
		return jobs.Local{}
	}
	return r.Crew
}
