package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// luminance is the relative luminance of a colour as WCAG 2 defines it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#")[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatalf("%q is no colour: %v", hex, err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
			continue
		}
		sum += weight * math.Pow((c+0.055)/1.055, 2.4)
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// indexed is the colour of an index of xterm's 256; the first 16 are as xterm has them by default.
func indexed(t *testing.T, index string) string {
	t.Helper()
	n, err := strconv.Atoi(index)
	if err != nil || n < 0 || n > 255 {
		t.Fatalf("%q is no index of a colour", index)
	}
	first := []string{
		"000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5",
		"7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff",
	}
	level := func(k int) int { return []int{0, 95, 135, 175, 215, 255}[k] }
	switch {
	case n < 16:
		return first[n]
	case n < 232:
		n -= 16
		return fmt.Sprintf("%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("%02x%02x%02x", grey, grey, grey)
}

// Every text can be read on the background that its theme is made for, in each depth of colour. The track of
// a meter is no text, but it must be seen.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, theme := range Themes() {
		text, shape := 4.5, 1.5
		if theme.Name == ThemeHighContrast {
			text, shape = 7, 3
		}
		least := [toneCount]float64{}
		for tone := range least {
			least[tone] = text
		}
		least[toneTrack] = shape
		for side, c := range map[string]*colours{"dark": theme.dark, "light": theme.light} {
			for tone, k := range c.inks {
				for depth, pair := range depthsOf(t, theme, c.ground, k, side) {
					if r := contrast(t, pair[0], pair[1]); r < least[tone] {
						t.Errorf("%s, %s background, %s colours, tone %d: %s on %s has %.2f, want %.1f",
							theme.Name, side, depth, tone, pair[0], pair[1], r, least[tone])
					}
				}
			}
		}
	}
}

// depthsOf are the colours of an ink and of what is behind it, for each depth that its theme uses.
func depthsOf(t *testing.T, theme ThemeInfo, ground string, k ink, side string) map[string][2]string {
	out := map[string][2]string{}
	if k.fore == (shade{}) {
		return out
	}
	behind := func(ground, back string, read func(string) string) string {
		if back == "" {
			return ground
		}
		return read(back)
	}
	byIndex := func(index string) string { return indexed(t, index) }
	if theme.most == termenv.TrueColor {
		plain := func(hex string) string { return hex }
		out["24-bit"] = [2]string{k.fore.TrueColor, behind(ground, k.back.TrueColor, plain)}
		out["256"] = [2]string{byIndex(k.fore.ANSI256), behind(ground, k.back.ANSI256, byIndex)}
	}
	if theme.Name == Theme16 {
		ground = map[string]string{"dark": "#000000", "light": "#ffffff"}[side]
		out["16"] = [2]string{byIndex(k.fore.ANSI), behind(ground, k.back.ANSI, byIndex)}
	}
	return out
}
