// Package sync holds what decoding needs to know of sync.
package sync

type Map struct{}

type Mutex struct{}

type Once struct{}

type RWMutex struct{}

type WaitGroup struct{}
