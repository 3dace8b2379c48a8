// +groupName=none.example.com

// Package v1 says nothing: it takes part because it carries tags, and every exported type of it does.
package v1
