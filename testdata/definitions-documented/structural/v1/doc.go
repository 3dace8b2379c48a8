// A schema whose every part has a type.
//
// +groupName=garden.example.com
package v1
