"""The table of deprecated and removed API versions, made from a clone of kubernetes/api with its release branches.

`python -m tests.kubernetes.builtin_lifecycle CLONE` writes `validation_gen/kubernetes/builtin/lifecycle.json` anew, and
keeps its notes about fields. The releases are those of the lifecycle functions of the newest branch that has the type.
A type that a branch no longer has is removed then, whatever its functions have announced.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.kubernetes.builtin_kinds import FIRST, NEWEST
from validation_gen.kubernetes import builtin
from validation_gen.kubernetes.builtin import kinds

FILE = Path(builtin.__file__).with_name("lifecycle.json")
#: Entries without lifecycle functions in kubernetes/api: types of other modules, and alpha versions, by their release
#: notes. Each has the deprecation and the replacement.
_OTHERS = {
    "apiextensions.k8s.io/v1beta1 CustomResourceDefinition": (16, "apiextensions.k8s.io/v1"),
    "apiregistration.k8s.io/v1beta1 APIService": (19, "apiregistration.k8s.io/v1"),
    "extensions/v1beta1 PodSecurityPolicy": (11, "policy/v1beta1"),
    "rbac.authorization.k8s.io/v1alpha1 ClusterRole": (17, "rbac.authorization.k8s.io/v1"),
    "rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding": (17, "rbac.authorization.k8s.io/v1"),
    "rbac.authorization.k8s.io/v1alpha1 Role": (17, "rbac.authorization.k8s.io/v1"),
    "rbac.authorization.k8s.io/v1alpha1 RoleBinding": (17, "rbac.authorization.k8s.io/v1"),
    "scheduling.k8s.io/v1alpha1 PriorityClass": (14, "scheduling.k8s.io/v1"),
}
#: Upstream names the list here.
_MISTAKES = {"networking.k8s.io/v1 IngressClassList": "networking.k8s.io/v1 IngressClass"}

_FUNCTION = re.compile(
    r"^func \(in \*(\w+)\) APILifecycle(Deprecated|Removed|Replacement)\(\) .*\{\n\treturn (.*)$", re.MULTILINE
)
_KIND = re.compile(r'Group: "(.*)", Version: "(.*)", Kind: "(.*)"')


def versions(clone: str) -> list[dict[str, Any]]:
    """The entries of the table."""
    found = {}
    for (version, kind), each in kinds().items():
        name = f"{version} {kind}"
        if each.until is not None:
            deprecated, replacement = _OTHERS.get(name, (None, ""))
            found[name] = _entry(name, deprecated, each.until, replacement)
    for minor in range(FIRST, NEWEST + 1):
        ref = "HEAD" if minor == NEWEST else f"origin/release-1.{minor}"
        for name, functions in _lifecycles(clone, ref):
            known = kinds().get((name.partition(" ")[0], name.partition(" ")[2]))
            if known is None or name in _OTHERS:
                continue
            removed = functions.get("Removed")
            until = known.until if known.until is not None else removed
            deprecated = functions["Deprecated"] if until is None or functions["Deprecated"] < until else None
            replacement = functions.get("Replacement", "")
            found[name] = _entry(name, deprecated, until, _MISTAKES.get(replacement, replacement))
    return [found[name] for name in sorted(found)]


def _entry(name: str, deprecated: int | None, removed: int | None, replacement: str) -> dict[str, Any]:
    version, _, kind = name.partition(" ")
    group, _, plain = version.rpartition("/")
    return {
        "group": group,
        "version": plain,
        "kind": kind,
        "deprecated": _release(deprecated),
        "removed": _release(removed),
        "replacement": replacement if " " in replacement or not replacement else f"{replacement} {kind}",
    }


def _release(minor: int | None) -> str:
    return "" if minor is None else f"1.{minor}"


def _lifecycles(clone: str, ref: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lifecycle functions of each deprecated kind of a branch, by name."""
    git = ["git", "-C", clone]
    names = subprocess.run([*git, "ls-tree", "-r", "--name-only", ref], check=True, capture_output=True, text=True)
    for name in names.stdout.split():
        match = re.fullmatch(r"(\w+)/(v\w+)/(?:zz_generated\.prerelease-)?lifecycle\.go", name)
        if match is None:
            continue
        text = subprocess.run([*git, "show", f"{ref}:{name}"], check=True, capture_output=True, text=True).stdout
        register = f"{ref}:{match[1]}/{match[2]}/register.go"
        group = re.search(
            r'GroupName\s*=\s*"([^"]*)"',
            subprocess.run([*git, "show", register], check=True, capture_output=True, text=True).stdout,
        )
        assert group is not None, name
        functions: dict[str, dict[str, Any]] = {}
        for kind, what, returned in _FUNCTION.findall(text):
            gvk = _KIND.search(returned)
            value = f"{gvk[1]}/{gvk[2]} {gvk[3]}" if gvk else int(returned.rpartition(",")[2])
            functions.setdefault(kind, {})[what] = value
        for kind, each in functions.items():
            if "Deprecated" in each:
                yield f"{group[1]}/{match[2]} {kind}".removeprefix("/"), each


def table(clone: str, notes: dict[str, list[str]]) -> str:
    """The text of the file: an entry a line."""
    entries = ",\n".join(json.dumps(each) for each in versions(clone))
    known = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in sorted(notes.items()))
    return f'{{"versions": [\n{entries}\n],\n"notes": {{\n{known}\n}}}}\n'


if __name__ == "__main__":
    kept = json.loads(FILE.read_text(encoding="utf-8"))["notes"] if FILE.exists() else {}
    FILE.write_text(table(sys.argv[1], kept), encoding="utf-8")
