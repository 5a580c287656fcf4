package chain

import (
	"fmt"

	"assay/events/plain"
	"assay/raters"
)

// teller implements raters.Teller.
type teller struct{}

// Score writes capped and discounted terms with their values before that.
func (teller) Score(terms []raters.Term) string {
	value := valuesOf(terms)
	text := fmt.Sprintf("branching %d + near misses %d", value["branching"], value["near_misses_counted"])
	if value["near_misses"] != value["near_misses_counted"] {
		text += fmt.Sprintf(" (of %d)", value["near_misses"])
	}
	text += fmt.Sprintf(" + decoys %d", value["decoys"])
	for _, bonus := range []string{"divide", "swap"} {
		if value[bonus] != 0 {
			text += fmt.Sprintf(" + %s %d", bonus, value[bonus])
		}
	}
	return text + fmt.Sprintf(" − orderings %d", -value["orderings_discount"])
}

func (teller) Proof(solution string, plays uint64, terms []raters.Term) string {
	return fmt.Sprintf("one winning set (%s), %s, all %s plays tried",
		shownOps.Replace(solution), plain.Plural(valuesOf(terms)["orderings"], "ordering"), plain.Number(plays))
}

func valuesOf(terms []raters.Term) map[string]int {
	value := map[string]int{}
	for _, t := range terms {
		value[t.Name] = t.Value
	}
	return value
}
