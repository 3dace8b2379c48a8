// Package watch holds what decoding needs to know of k8s.io/apimachinery/pkg/watch.
package watch

import "k8s.io/apimachinery/pkg/runtime"

type EventType string

const (
	Added    EventType = "ADDED"
	Modified EventType = "MODIFIED"
	Deleted  EventType = "DELETED"
	Bookmark EventType = "BOOKMARK"
	Error    EventType = "ERROR"
)

type Event struct {
	Type   EventType
	Object runtime.Object
}

type Interface interface{}
