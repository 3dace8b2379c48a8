"""What webhooks and policies of admission have in common: the requests that they name, and expressions about these.

- `rules` are requests by operation and resource, `selectors` select by labels, `conditions` are match conditions: each
  tells what the API server has against one, in its words and order.
- `environment` has the names that expressions see, `compiling` makes expressions something that runs, and `costs` are
  the most that one can cost.

Errors have paths below one that is handed in, as text. No module here reads a manifest, and none knows where in a file
something stands. Sources of the behaviour: `pkg/apis/admissionregistration/validation` of Kubernetes and
`pkg/admission/plugin/cel` of `k8s.io/apiserver`.
"""
