// Benches in version v1beta1.
//
// +groupName=garden.example.com
package v1beta1
