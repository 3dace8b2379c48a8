// +k8s:validation-gen=*

// Package customunique has lists in which handwritten code finds duplicates.
package customunique
