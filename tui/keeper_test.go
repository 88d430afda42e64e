package tui

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"culprit/flinkapi"
)

// shelf is a keeper whose answers a test writes.
type shelf struct {
	said string
	err  error
	news []string
	took time.Duration
}

func (k *shelf) Save() (string, error) {
	time.Sleep(k.took)
	return k.said, k.err
}

func (k *shelf) Bundle(context.Context, flinkapi.JobID) (string, error) { return "made it.zip", k.err }

func (k *shelf) News() string {
	if len(k.news) == 0 {
		return ""
	}
	text := k.news[0]
	k.news = k.news[1:]
	return text
}

// Saving does not hold the screen, and what came of it stays long enough to be written down. A recording,
// which is a file already, has no such key.
func TestSavesTheLastHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const said = "saved culprit-20260301-235800.culprit, 1.2 MB, 22:58:00 to 23:58:00"
		kept := &shelf{said: said, took: 3 * time.Second, news: []string{"the last hour is no longer kept: full"}}
		s := playWith(t, Options{Monitor: always(t, slowSink), Keeper: kept}, 100, 30)
		s.wants(s.settle(), "the last hour is no longer kept: full")
		s.wants(s.press("R"), "saving the last hour")
		s.wants(s.press("e"), "evidence: jdbc-upsert")
		time.Sleep(kept.took)
		s.wants(s.settle(), said)
		time.Sleep(keptTime - 2*time.Second)
		s.wants(s.settle(), said)
		time.Sleep(3 * time.Second)
		s.lacks(s.settle(), said, "no longer kept")
		s.wants(s.press("B"), "made it.zip")
		kept.err = errors.New("no space left on device")
		s.press("R")
		time.Sleep(kept.took)
		s.wants(s.settle(), "not saved: no space left on device")
		s.quit("q")

		s = play(t, always(t, slowSink), 100, 30)
		s.lacks(s.press("R"), "saving")
		s.lacks(s.press("?"), "save what the cluster answered")
		s.quit("q")
	})
}
