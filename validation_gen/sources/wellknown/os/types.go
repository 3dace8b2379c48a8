// Package os holds what decoding needs to know of os.
package os

import "io/fs"

type FileInfo = fs.FileInfo

type FileMode = fs.FileMode

type Signal interface{}

const (
	ModeDir     = fs.ModeDir
	ModeSymlink = fs.ModeSymlink
	ModePerm    = fs.ModePerm
)
