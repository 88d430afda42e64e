package flinkapi

import (
	"context"
	"time"
)

// Exchange is one question of a [Collector] and what became of it. Each request carries its own in its
// context, so that a transport that records or replays needs to know nothing of the address or the look.
type Exchange struct {
	// Pattern is the path of the allow-list that the question is an instance of, such as "/jobs/{hex}".
	Pattern string
	// Path is the escaped path below the address, Query the encoded query.
	Path, Query string
	// At is when the answer came, by the source's clock. A transport may set it; the collector does otherwise.
	At time.Time
	// Err is how the question failed, nil when it did not; it is set when the answer was read.
	Err *Error
}

type exchangeKey struct{}

// ExchangeOf returns the exchange that a request's context carries, or nil.
func ExchangeOf(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

func withExchange(ctx context.Context, x *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}
