package registry

import (
	"assay/registry/jobs"
)

// pool is where raters and generators run.
func (r *Registry) pool() jobs.Pool {
	if r.Pool == nil {
		return jobs.Local{}
	}
	return r.Pool
}
