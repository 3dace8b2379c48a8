// Columns of kubectl get.
//
// +groupName=garden.example.com
package v1
