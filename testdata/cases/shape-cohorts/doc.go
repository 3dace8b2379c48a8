// +k8s:validation-gen=*

// Package cohorts shows which rules stop which others.
package cohorts
