// Values that are integers or strings.
//
// +groupName=garden.example.com
package v1
