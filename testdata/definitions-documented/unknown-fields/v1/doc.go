// Fields that are dropped, and fields that are kept although no schema names them.
//
// +groupName=garden.example.com
package v1
