// Rules in the Common Expression Language.
//
// +groupName=garden.example.com
package v1
