// Package types holds what decoding needs to know of k8s.io/apimachinery/pkg/types.
package types

type NamespacedName struct {
	Namespace string
	Name      string
}

type NodeName string

type PatchType string

type UID string

const (
	Separator = '/'
)

const (
	JSONPatchType           PatchType = "application/json-patch+json"
	MergePatchType          PatchType = "application/merge-patch+json"
	StrategicMergePatchType PatchType = "application/strategic-merge-patch+json"
	ApplyPatchType          PatchType = ApplyYAMLPatchType
	ApplyYAMLPatchType      PatchType = "application/apply-patch+yaml"
	ApplyCBORPatchType      PatchType = "application/apply-patch+cbor"
)
