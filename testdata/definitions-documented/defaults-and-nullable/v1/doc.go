// Values of absent fields, and what null means.
//
// +groupName=garden.example.com
package v1
