"""Model of the API server and kubectl: a library that knows no tag, no source and no emitter.

Inputs are texts and values: manifests, definitions, expressions, patterns. Outputs are objects with the positions of
their parts, and the verdict of the API server, word by word.

The room never reads a user's Go or Python types, and never talks to a cluster. It shares nothing with the emitters, so
that neither hides a mistake of the other. It reproduces surprising behaviour of upstream, and a comment names the
source.

Begin with `manifests`, then `crd/run.py`, the entry point for definitions, then `objects/admission.py`, one request.

- `manifests`: reads every object of YAML or JSON files as kubectl reads them.
- `manifestfiles`: finds the files that an argument names, and reads their bytes.
- `positions`: finds the line and column of any path into such a text, and the value at the path of an error.
- `yaml`: reads YAML as the clients of Kubernetes do, through JSON.
- `crd`: checks definitions, and values against their schemas.
- `cel`: checks the types, the cost and the place of CEL rules, and runs them.
- `objects`: takes custom objects as the server does: decodes, prunes, defaults, validates and stores them.
- `managedfields`: computes owners of fields, merges and conflicts of server-side apply.
- `strategicmerge`: applies strategic merge patches.
- `registration`: checks configurations of webhooks, with their conditions.
- `policies`: checks admission policies, and runs them.
- `admission`: shared parts of `registration` and `policies`: rules, selectors, conditions, names in expressions.
- `builtin`: the kinds that Kubernetes has itself, by name, scope and release.
- `formats`: names of the DNS, addresses, URLs and the formats of schemas.
"""
