// Benches in version v1beta2.
//
// +groupName=garden.example.com
package v1beta2
