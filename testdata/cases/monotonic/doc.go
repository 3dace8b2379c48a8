// +k8s:validation-gen=*

// Package monotonic has numbers that may not decrease.
package monotonic
