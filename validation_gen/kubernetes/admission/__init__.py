"""Shared parts of webhooks and admission policies: the requests that they name, and expressions about these.

- `selectors` reads requests by operation and resource, and selectors of labels, with the errors of the API server, in
  its words and order.
- `environment` has the names that expressions see, `compiling` compiles expressions to plans, checks match conditions,
  and estimates the most that an expression can cost.

Errors have text paths, relative to a path that the caller passes. No module here reads a manifest or knows positions in
files. Sources of the behaviour: `pkg/apis/admissionregistration/validation` of Kubernetes and
`pkg/admission/plugin/cel` of `k8s.io/apiserver`.
"""
