// Package slog holds what decoding needs to know of log/slog.
package slog

type Level int

func (*Level) UnmarshalJSON([]byte) error
func (*Level) UnmarshalText([]byte) error
