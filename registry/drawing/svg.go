package drawing

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes of a picture, in its units.
const (
	side   = 40 // of a place
	margin = 10 // round the whole
	tile   = 72 // from one tile of a hand to the next
)

// Colours of a picture. It has no style sheet, because a browser may not be allowed to read one in it.
const (
	ink   = "#22262e"
	soft  = "#c9c3b5"
	tint  = "#efe9da"
	paper = "#ffffff"
)

// SVG writes a layout as a complete picture, with a title for people who cannot see it.
func (l Layout) SVG(title string) string {
	s := &picture{width: l.Columns * side, height: l.Rows * side}
	if l.Goal != nil {
		s.tiles(l)
	}
	for i, p := range l.Places {
		s.ground(p, i%l.Columns*side, i/l.Columns*side)
	}
	s.lines(l, Thin, fmt.Sprintf(`stroke="%s"`, soft))
	s.lines(l, Thick, fmt.Sprintf(`stroke="%s" stroke-width="2.5" stroke-linecap="square"`, ink))
	s.cages(l)
	for _, b := range l.Bridges {
		s.bridge(b)
	}
	for i, p := range l.Places {
		s.place(p, i%l.Columns*side, i/l.Columns*side)
	}
	w, h := s.width+2*margin, s.height+2*margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" width="%d" height="%d" role="img" font-family="sans-serif" text-anchor="middle" fill="%s">`,
		-margin, -margin, w, h, w, h, ink) +
		"<title>" + escaped(title) + "</title>" +
		fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, -margin, -margin, w, h, paper) +
		s.body.String() + "</svg>\n"
}

// picture is the state of drawing a picture.
type picture struct {
	body          strings.Builder
	width, height int // without the margin
}

func (s *picture) addf(format string, args ...any) { fmt.Fprintf(&s.body, format, args...) }

// text writes a text with its centre at a point.
func (s *picture) text(x, y float64, size int, text, attributes string) {
	if text != "" {
		s.addf(`<text x="%g" y="%g" font-size="%d"%s>%s</text>`, x, y+float64(size)*.35, size, attributes, escaped(text))
	}
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a builder never fails
	return b.String()
}

// tiles draws a goal, and the tiles below it.
func (s *picture) tiles(l Layout) {
	s.width, s.height = max(4, len(l.Hand))*tile, 110
	s.text(float64(s.width)/2, 24, 34, fmt.Sprintf("%d → %d", l.Goal.Start, l.Goal.Target), "")
	for i, t := range l.Hand {
		x := i*tile + (s.width-len(l.Hand)*tile)/2
		s.addf(`<rect x="%d" y="58" width="%d" height="44" rx="6" fill="none" stroke="%s"/>`, x+4, tile-8, ink)
		s.text(float64(x)+tile/2, 80, 20, t.Shown(), "")
	}
}

// ground fills a place that is not white.
func (s *picture) ground(p Place, x, y int) {
	fill := map[Kind]string{Tinted: tint, Split: soft}[p.Kind]
	if p.Shaded {
		fill = ink
	}
	if fill != "" {
		s.addf(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x, y, side, side, fill)
	}
}

// corners are the ends of each side of a place.
var corners = [4][4]int{Top: {0, 0, 1, 0}, Right: {1, 0, 1, 1}, Bottom: {0, 1, 1, 1}, Left: {0, 0, 0, 1}}

// lines draws all sides of one weight as one path, each side once.
func (s *picture) lines(l Layout, w Weight, attributes string) {
	drawn := map[[4]int]bool{}
	var path strings.Builder
	for i, p := range l.Places {
		for at, weight := range p.Edges {
			c := corners[at]
			row, column := i/l.Columns, i%l.Columns
			line := [4]int{column + c[0], row + c[1], column + c[2], row + c[3]}
			if weight == w && !drawn[line] {
				drawn[line] = true
				fmt.Fprintf(&path, "M%d %dL%d %d", line[0]*side, line[1]*side, line[2]*side, line[3]*side)
			}
		}
	}
	s.path(path.String(), attributes)
}

func (s *picture) path(d, attributes string) {
	if d != "" {
		s.addf(`<path d="%s" fill="none" %s/>`, d, attributes)
	}
}

// cages draws the outlines of cages, a little inside their cells. A line continues into the next cell unless it turns.
func (s *picture) cages(l Layout) {
	const in = 4
	reach := map[bool]int{true: in, false: -in}
	var path strings.Builder
	for i, p := range l.Places {
		x, y := i%l.Columns*side, i/l.Columns*side
		left, right := x+reach[p.Cage[Left]], x+side-reach[p.Cage[Right]]
		top, bottom := y+reach[p.Cage[Top]], y+side-reach[p.Cage[Bottom]]
		for at, line := range [4][4]int{
			Top: {left, y + in, right, y + in}, Right: {x + side - in, top, x + side - in, bottom},
			Bottom: {left, y + side - in, right, y + side - in}, Left: {x + in, top, x + in, bottom},
		} {
			if p.Cage[at] {
				fmt.Fprintf(&path, "M%d %dL%d %d", line[0], line[1], line[2], line[3])
			}
		}
	}
	s.path(path.String(), fmt.Sprintf(`stroke="%s" stroke-dasharray="4 2"`, ink))
}

// bridge draws one line or two.
func (s *picture) bridge(b Bridge) {
	across, down := 0, 4
	if b.FromColumn == b.ToColumn {
		across, down = 4, 0
	}
	offsets := []int{0}
	if b.Count > 1 {
		offsets = []int{-1, 1}
	}
	for _, o := range offsets {
		s.addf(`<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2"/>`, b.FromColumn*side+side/2+o*across,
			b.FromRow*side+side/2+o*down, b.ToColumn*side+side/2+o*across, b.ToRow*side+side/2+o*down, ink)
	}
}

// place writes the content of a place.
func (s *picture) place(p Place, left, top int) {
	x, y := float64(left)+side/2, float64(top)+side/2
	colour := ""
	switch {
	case p.Kind == Island:
		s.addf(`<circle cx="%g" cy="%g" r="16" fill="%s" stroke="%s" stroke-width="1.5"/>`, x, y, paper, ink)
	case p.Kind == Split:
		s.path(fmt.Sprintf("M%d %dL%d %d", left, top, left+side, top+side), fmt.Sprintf(`stroke="%s"`, ink))
		s.text(x-9, y+9, 12, p.Down, "")
		s.text(x+9, y-9, 12, p.Across, "")
	case p.Shaded:
		colour = fmt.Sprintf(` fill="%s"`, paper)
	}
	text, size := p.Text, 20
	if text == "" && !p.Shaded {
		text, colour = p.Mark, ` font-style="italic"`
	}
	if utf8.RuneCountInString(text) > 2 {
		size = 14
	}
	s.text(x, y, size, text, colour)
	s.text(float64(left)+11, float64(top)+9, 10, p.Corner, fmt.Sprintf(` stroke="%s" stroke-width="3" paint-order="stroke"`, paper)) // covers its outline
	for i, removed := range p.Removed {
		s.text(float64(left)+8+float64(i%4)*8, float64(top)+side-6-float64(i/4)*9, 9, removed, ` text-decoration="line-through" fill="#a8403a"`)
	}
}
