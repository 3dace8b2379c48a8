"""Admission policies as the API server runs them: validation of policies, and their evaluation on requests.

`reading` reads a `ValidatingAdmissionPolicy` or a `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`, with
its binding; the parts that webhooks share are in `admission`. Nothing here knows a tag, reads a file or talks to a
cluster.

- `checking` returns the server's errors for one policy or binding; `reading` has the warnings of its type checker.
- `validating` selects the requests of a policy and evaluates it on one: decisions, warnings, audit annotations and the
  total cost. `mutating` has the patches of a policy that changes objects.

Sources of the behaviour: `pkg/admission/plugin/cel` and `pkg/admission/plugin/policy` of `k8s.io/apiserver`, and
`pkg/apis/admissionregistration/validation` of Kubernetes.
"""
