// Objects of Kubernetes in other objects.
//
// +groupName=garden.example.com
package v1
