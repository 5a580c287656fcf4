package plain

import "strconv"

// Number writes a non-negative number with commas between the thousands.
func Number[N ~int | ~uint64](n N) string {
	digits := strconv.FormatUint(uint64(n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Plural writes a count of things: "1 attempt", "3 attempts".
func Plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Number(n) + " " + thing
}
