// The status apart from the rest, the scale, and fields for field selectors.
//
// +groupName=garden.example.com
package v1
