// A webhook with an address.
//
// +groupName=garden.example.com
package v1
