"""Names and summaries of the commands. Imports nothing, so that the help is fast."""

from __future__ import annotations

#: The commands in the order of the help, each with the first paragraph of its docstring.
COMMANDS: dict[str, str] = {
    "generate": "Write Python validators for the tagged types in PATH, and other outputs of --emit.",
    "check": "List generated files that are missing, stale or extra, with a patch. Writes no files.",
    "lint": "Report mistakes and unwise tags in the sources in PATH; --fix corrects them. Writes nothing else.",
    "validate": "Check Kubernetes manifests and print errors like kubectl. Writes no files but that of --resume.",
    "stdio": "Answer requests for verdicts, one JSON object a line (docs/protocol.md). Writes no files.",
    "serve": "Answer admission reviews over HTTPS, until Ctrl-C. Needs the extra `serve`. Writes no files.",
    "review": "Send a webhook the requests of an API server, and print its answers. Writes no files.",
    "coverage": "List the errors that the tags declare and no test has triggered. "
    "Writes no files but that of --resume.",
    "apply": "Predict `kubectl apply --dry-run=server`, without a cluster. Writes no files.",
    "compare": "Compare handwritten validation with that of the tags, on many objects. "
    "Writes only the files that are named.",
    "conversions": "Conversions between the versions of a kind.",
    "convert": "Write Go types, Python classes or definitions in PATH as Python dataclasses or Go types.",
    "migrate": "Rewrite markers in PATH as tags where definitions and verdicts stay the same, and print the patch.",
    "breaking": "Compare sources or definitions with an older state: what breaks clients or stored objects. "
    "Writes no files.",
    "openapi": "Write an OpenAPI document for each group and version in PATH.",
    "jsonschema": "Write a JSON Schema for each kind in PATH, for editors and checks of manifests.",
    "monitoring": "Write a Grafana dashboard and Prometheus alert rules for the metrics of the mismatch harness.",
    "explain": "Explain tags, codes, the rules of a field, or the checks of an object. Without a name: list all.",
    "crd": "CustomResourceDefinitions.",
    "cel": "CEL rules at a path of an object.",
    "config": "The configuration: its values, their origins, and its keys.",
    "trust": "Trust the current code that the configuration of PROJECT names. Lists it first.",
    "init": "Write a first configuration for the repository in DIR. Changes no existing configuration.",
}
#: Removed commands, each with its replacement.
REMOVED = {
    "certs": "cert-manager makes certificates for a cluster (component `cert-manager` of `generate --emit webhooks`), "
    "and `serve --self-signed` makes one for a try",
}
#: Module and function of commands that are not a function in a module of the same name.
PLACES = {
    "check": ("generate", "check"),
    "openapi": ("schemas", "openapi"),
    "jsonschema": ("schemas", "jsonschema"),
    "crd": ("crd", "app"),
    "cel": ("cel", "app"),
    "config": ("configuration", "app"),
    "conversions": ("conversions", "app"),
}
#: Commands with subcommands. The first subcommand is the default, unless it is empty.
GROUPS = {
    "crd": ("generate", "check"),
    "config": ("", "show", "schema"),
    "conversions": ("", "check", "new"),
    "cel": ("", "eval", "check", "cost", "test", "schema"),
}
