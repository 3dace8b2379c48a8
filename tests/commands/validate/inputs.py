"""Objects of every sort for tests that read them in several ways, and how they are checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

HEAD = "apiVersion: example.com/v1\nkind: Thing\n"
_GOOD = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"name": "a"}}
_DEFINITION = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}


def _lines(count: int) -> list[str]:
    specs = ({"name": "too long" if n % 5 == 0 else "a", **({"odd": n} if n % 7 == 0 else {})} for n in range(count))
    return [json.dumps({**_GOOD, "metadata": {"name": f"l{n}"}, "spec": spec}) for n, spec in enumerate(specs)]


def plain() -> dict[str, str]:
    """Files that can be read in any parts: valid and invalid objects, kinds without rules, what is malformed."""
    documents = []
    for number in range(40):
        name = "too long" if number % 6 == 0 else "a"
        kind = "Deploymnt" if number % 9 == 4 else "Thing"
        documents.append(
            f"apiVersion: example.com/v1\nkind: {kind}\nmetadata: {{name: y{number}}}\nspec: {{name: {name}}}\n"
        )
    documents[20] = "a: [\n"
    lines = _lines(60)
    lines[30] = ""
    return {
        "in/a.yaml": "---\n".join(documents),
        "in/b.jsonl": "\n".join(lines) + "\n",
        "in/c/d.yaml": f"{HEAD}metadata: {{name: d}}\nspec: {{name: a}}\n",
        "in/c/e.json": json.dumps({"kind": "List", "items": [json.loads(line) for line in lines[:9]]}, indent=1),
        "in/c/f.yaml": "\xff\n",
    }


def odd() -> dict[str, str]:
    """Files that show only in the end that they cannot be read in parts."""
    lines = _lines(60)
    names = {"plural": "thinglists", "kind": "ThingList"}
    definition = {**_DEFINITION, "spec": {"group": "example.com", "names": names}}
    things = {"apiVersion": "example.com/v1", "kind": "ThingList", "items": [json.loads(line) for line in lines[:6]]}
    return {
        "odd/a.yaml": "---\n".join(f"{HEAD}metadata: {{name: y{n}}}\nspec: {{name: a}}\n" for n in range(30)),
        "odd/b.json": "\n".join([*lines, '{"broken":']),
        "odd/c.yaml": f"%YAML 1.1\n---\n{HEAD}\n---\n{HEAD}\n",
        "odd/d.yaml": json.dumps(definition),
        "odd/e.json": json.dumps(things),
    }


def write(files: Mapping[str, str], directory: Path) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1"))
