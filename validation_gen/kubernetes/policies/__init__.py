"""Admission policies as the API server runs them: what it has against one, and what one says of a request.

A `ValidatingAdmissionPolicy` or a `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1` is read by `reading`,
with its binding; what webhooks have, too, is in `admission`. Nothing here knows a tag, reads a file or asks a cluster.

- `run` says what the server has against one object: `checking` is its validation. `typechecking` is what the server's
  type checker warns of.
- `matching` decides which requests a policy is about, `validating` what it says of one: decisions, warnings, audit
  annotations and what all of it costs. `mutating` has the patches of a policy that changes objects.

Sources of the behaviour: `pkg/admission/plugin/cel` and `pkg/admission/plugin/policy` of `k8s.io/apiserver`, and
`pkg/apis/admissionregistration/validation` of Kubernetes.
"""
