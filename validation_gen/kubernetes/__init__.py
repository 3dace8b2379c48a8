"""What the API server and kubectl do, and nothing of ours: a library that knows no tag, no source and no emitter.

What comes in are texts and values: manifests, definitions, expressions, patterns. What goes out are objects with the
positions of their parts, and the verdict of the API server, word by word.

The room never reads a user's Go or Python types, and never talks to a cluster. It shares nothing with the emitters, so
that neither hides a mistake of the other. Where upstream has a surprise, it is kept, and a comment names its source.

Begin with `manifests`, then `crd/run.py`, the door to definitions, then `objects/admission.py`, one request.

- `manifests`: reads every object of YAML or JSON files as kubectl reads them.
- `manifestfiles`: finds the files that an argument names, and reads their bytes.
- `positions`: finds the line and column of any path into such a text.
- `ways`: leads from the path in an error to the value that it speaks of.
- `yaml`: reads YAML as the clients of Kubernetes do, through JSON.
- `crd`: judges definitions, and values by their schemas.
- `cel`: checks the types, the cost and the place of CEL rules, and runs them.
- `objects`: takes custom objects as the server does: decoded, pruned, defaulted, judged, stored.
- `registration`: judges configurations of webhooks, with their conditions.
- `policies`: judges admission policies, and runs them.
- `admission`: what these two have in common: rules, selectors, conditions, and what expressions may name.
- `builtin`: the kinds that Kubernetes has itself, by name, scope and release.
- `formats`: names of the DNS, addresses, URLs and the formats of schemas.
- `goregex`: reads patterns as Go does, and runs them in linear time.
"""
