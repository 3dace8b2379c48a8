// +k8s:validation-gen=*

// Package validatetrue shows that rules are accepted in all sorts of places; none of them fails.
package validatetrue
