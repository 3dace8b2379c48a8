// Benches in version v1.
//
// +groupName=garden.example.com
package v1
