// +k8s:validation-gen=false
// want-above VG104 `+k8s:validation-gen: cannot mix "false" with other values; got ["false" "*"] (keep either the opt-out or the selectors)`
// +k8s:validation-gen=*

// Package mixed opts out and in.
package mixed
