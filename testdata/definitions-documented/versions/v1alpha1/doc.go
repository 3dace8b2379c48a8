// Benches in version v1alpha1.
//
// +groupName=garden.example.com
package v1alpha1
