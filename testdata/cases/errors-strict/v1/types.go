package v1

import (
	"example.com/cases/errors-strict/other"
	"example.com/cases/errors-strict/silent"
)

// All has no tags, but the shapes of its fields count.
type All struct {
	PointerToPointer **string          `json:"pointerToPointer"` // want VG302 `field example.com/cases/errors-strict/v1.All.pointerToPointer (**string): pointers to pointers are not supported`
	Array            [3]string         `json:"array"`            // want VG302 `fixed-size arrays are not supported`
	IntegerKeys      map[int32]string  `json:"integerKeys"`      // want VG302 `maps with non-string keys are not supported`
	Other            other.Other       `json:"other"`
	Silent           silent.Silent     `json:"silent"` // want VG303 `field example.com/cases/errors-strict/v1.All.silent: type example.com/cases/errors-strict/silent.Silent is in a non-included package`

	// +k8s:opaqueType
	Opaque silent.Silent `json:"opaque"`
}
