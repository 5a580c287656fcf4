package catalog

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// others are the folders beside the genres.
var others = []string{"catalog", "deduce", "logic", "ratertest", "seedrand", "words"}

func TestEveryGenreFolderIsListed(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(others, e.Name()) {
			folders = append(folders, e.Name())
		}
	}
	var names []string
	for _, g := range Genres() {
		names = append(names, g.Name)
	}
	if !slices.Equal(names, folders) {
		t.Errorf("listed are %v, the genre folders are %v", names, folders)
	}
}

func TestGenresAreWhole(t *testing.T) {
	for _, g := range Genres() {
		if g.Reader == nil || len(g.Variants) == 0 {
			t.Errorf("%s lacks its reader or a variant", g.Name)
		}
		for _, v := range g.Variants {
			if v.Genre != g.Name || v.Name == "" || v.Solver == nil || v.Generator == nil || v.Canonizer == nil || len(v.Scales) == 0 {
				t.Errorf("%s lacks a part: %+v", v, v)
			}
			for _, scale := range v.Scales {
				if !strings.HasPrefix(scale.Rater.Name(), g.Name+".") {
					t.Errorf("%s has a rater named %s", v, scale.Rater.Name())
				}
			}
		}
	}
}
