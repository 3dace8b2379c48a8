// +k8s:validation-gen=*

// Package validateerror shows where tags are looked at: each of these is refused.
package validateerror
