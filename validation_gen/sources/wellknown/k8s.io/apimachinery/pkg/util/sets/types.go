// Package sets holds what decoding needs to know of k8s.io/apimachinery/pkg/util/sets.
package sets

type Empty struct{}

type Int map[int]Empty

type Int32 map[int32]Empty

type Int64 map[int64]Empty

type String map[string]Empty
