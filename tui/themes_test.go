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

// Every text can be read on the background that its theme is made for, in each depth of colour. The track of a
// meter is no text, but it must be seen.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, theme := range Themes() {
		text, shape := 4.5, 1.5
		if theme.Name == ThemeHighContrast {
			text, shape = 7, 3
		}
		for side, c := range map[string]*colours{"dark": theme.dark, "light": theme.light} {
			for tone, k := range c.inks {
				depths := map[string][2]string{}
				if theme.most == termenv.TrueColor {
					depths["24-bit"] = [2]string{k.fore.TrueColor, k.back.TrueColor}
					depths["256"] = [2]string{k.fore.ANSI256, k.back.ANSI256}
				}
				if theme.Name == Theme16 {
					depths["16"] = [2]string{k.fore.ANSI, k.back.ANSI}
				}
				for depth, pair := range depths {
					fore, back := pair[0], pair[1]
					if fore == "" {
						continue
					}
					ground := c.ground
					if depth == "16" {
						ground = map[string]string{"dark": "#000000", "light": "#ffffff"}[side]
					}
					if depth != "24-bit" {
						fore = indexed(t, fore)
					}
					switch {
					case back != "" && depth != "24-bit":
						ground = indexed(t, back)
					case back != "":
						ground = back
					}
					least := text
					if tone == int(toneTrack) {
						least = shape
					}
					if r := contrast(t, fore, ground); r < least {
						t.Errorf("%s, %s background, %s colours, tone %d: %s on %s has %.2f, want %.1f",
							theme.Name, side, depth, tone, fore, ground, r, least)
					}
				}
			}
		}
	}
}
