// +k8s:validation-gen=*

// Package lost embeds types whose sources are nowhere.
package lost
