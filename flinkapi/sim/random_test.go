package sim

import (
	"math/rand/v2"
	"testing"
	"time"
)

func rngOf(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func BenchmarkSimulate(b *testing.B) {
	for _, size := range []int{5, 20, 40} {
		g := Random(rngOf(uint64(size)), RandomOptions{MinVertices: size, MaxVertices: size})
		b.Run(time.Duration(size).String(), func(b *testing.B) {
			simulated := 0
			for b.Loop() {
				c := New(Config{Jobs: []Job{{Name: "random", Graph: g}}})
				c.Advance(90 * time.Second)
				simulated += 90
			}
			b.ReportMetric(float64(simulated)/b.Elapsed().Seconds(), "simulated-s/s")
		})
	}
}
