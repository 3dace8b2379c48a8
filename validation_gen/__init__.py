"""validation-gen: Kubernetes declarative validation from `+k8s:` tags, outside the Kubernetes API server."""
