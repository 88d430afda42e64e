package diagnose

import (
	"math"

	"culprit/flinkapi"
)

// phrases are sentences that end with a share of time. They are told in whole percent, so there are few, and
// those of all vertices are said anew at each look.
type phrases map[phrase]string

type phrase struct {
	text    string
	percent int
}

// of returns the text with the ratio behind it, as FormatRatio writes it.
func (p phrases) of(text string, v flinkapi.Value) string {
	x, known := v.Float()
	if !known || x < 0 || x > 1 {
		return text + FormatRatio(v)
	}
	key := phrase{text, int(math.RoundToEven(100 * x))}
	said, ok := p[key]
	if !ok {
		said = text + FormatRatio(v)
		p[key] = said
	}
	return said
}
