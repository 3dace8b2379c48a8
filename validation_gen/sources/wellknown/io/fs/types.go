// Package fs holds what decoding needs to know of io/fs.
package fs

type FileInfo interface{}

type FileMode uint32

const (
	ModeDir     FileMode = 1 << 31
	ModeSymlink FileMode = 1 << 27
	ModePerm    FileMode = 0777
)
