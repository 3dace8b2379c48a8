// Types that tempt to write a schema which is not structural.
//
// +groupName=garden.example.com
package v1
