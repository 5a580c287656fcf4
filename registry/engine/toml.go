package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// ReadTOML reads a TOML text, with a byte order mark or without, into a struct that has all of its keys.
func ReadTOML(text []byte, into any) error {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	return toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
}

// wrongType matches the error about a value of the wrong type.
var wrongType = regexp.MustCompile(`^toml: cannot decode TOML ([a-z ]+) into .* of type \*?(\w+)`)

// tomlTypes describes the types of this program in TOML.
var tomlTypes = map[string]string{"string": "a text in quotes", "int": "a whole number", "bool": "true or false"}

// TOMLReason describes the error in a TOML text, with line and column.
func TOMLReason(err error) string {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		row, column := unknown.Errors[0].Position()
		return fmt.Sprintf("line %d, column %d: %s is not known", row, column, strings.Join(unknown.Errors[0].Key(), "."))
	}
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		row, column := syntax.Position()
		reason := strings.TrimPrefix(syntax.Error(), "toml: ")
		if types := wrongType.FindStringSubmatch(syntax.Error()); types != nil {
			reason = fmt.Sprintf("wanted %s, got %s", cmp.Or(tomlTypes[types[2]], "a table"), types[1])
		}
		return fmt.Sprintf("line %d, column %d: %s", row, column, reason)
	}
	return err.Error()
}
