"""The catalogue of built-in kinds, made from a clone of kubernetes/api with its release branches.

`python -m tests.kubernetes.builtin_kinds CLONE > validation_gen/kubernetes/builtin/kinds.txt` writes it anew. A kind is
a type with a client (`+genclient`) that has verbs; its scope and releases are those of its comments and of
`zz_generated.prerelease-lifecycle.go`, by which a server takes away what it no longer serves.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

#: The first release whose branch is read.
FIRST = 16
#: The release that the default branch is about.
NEWEST = 37
#: Types that a server asks webhooks with.
_ASKED = ("imagepolicy",)
#: Served, though nobody has made a client for it.
_WITHOUT_CLIENT = {("", "v1", "Binding")}
#: Types that are still there, with the release since which no server serves them.
_UNSERVED = {
    "node.k8s.io/v1alpha1 RuntimeClass": 24,
    "rbac.authorization.k8s.io/v1alpha1 ClusterRole": 23,
    "rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding": 23,
    "rbac.authorization.k8s.io/v1alpha1 Role": 23,
    "rbac.authorization.k8s.io/v1alpha1 RoleBinding": 23,
    "scheduling.k8s.io/v1alpha1 PriorityClass": 23,
}
#: Kinds whose resource is named as they are.
_SAME = ("endpoints", "parameters")
#: Kinds of servers of their own, within every API server: their types are not in kubernetes/api.
_OTHERS = (
    "apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions Cluster 1.16 -",
    "apiextensions.k8s.io/v1beta1 CustomResourceDefinition customresourcedefinitions Cluster 1.7 1.22",
    "apiregistration.k8s.io/v1 APIService apiservices Cluster 1.10 -",
    "apiregistration.k8s.io/v1beta1 APIService apiservices Cluster 1.7 1.22",
)
_HEAD = (
    "# apiVersion, kind, plural, scope, the release since when it is served (1.16 also stands for all before it), and\n"
    "# that from which on it is not. Alpha versions are served where they are enabled.\n"
)

_TYPE = re.compile(r"((?:^//.*\n|^\n)+)^type (\w+) struct \{", re.MULTILINE)
_GROUP = re.compile(r'GroupName\s*=\s*"([^"]*)"')
_RELEASE = re.compile(
    r"^func \(in \*(\w+)\) APILifecycle(Introduced|Removed)\(\) .*\{\n\treturn 1, (\d+)", re.MULTILINE
)


@dataclass
class _Found:
    scope: str
    introduced: int
    removed: int | None
    last: int


def catalogue(clone: str) -> str:
    """The text of the catalogue."""
    found: dict[tuple[str, str, str], _Found] = {}
    for minor in range(FIRST, NEWEST + 1):
        ref = "HEAD" if minor == NEWEST else f"origin/release-1.{minor}"
        for key, scope, introduced, removed in _kinds_at(clone, ref):
            before = found.get(key)
            first = before.introduced if before else minor
            since = first if introduced is None else min(first, introduced)
            found[key] = _Found(scope, since, removed, minor)
    lines = [*_OTHERS]
    for (group, version, kind), each in found.items():
        ends = [each.removed or NEWEST + 1, each.last + 1]  # some types leave before their announced removal
        gone = min(ends) if min(ends) <= NEWEST else None
        api = f"{group}/{version}" if group else version
        gone = _UNSERVED.get(f"{api} {kind}", gone)
        until = "-" if gone is None else f"1.{gone}"
        lines.append(f"{api} {kind} {plural(kind)} {each.scope} 1.{each.introduced} {until}")
    return _HEAD + "".join(f"{line}\n" for line in sorted(lines))


def plural(kind: str) -> str:
    """The name of the resource, by the rule of `UnsafeGuessKindToResource` and what servers do otherwise."""
    name = kind.lower()
    if name.endswith(_SAME):
        return name
    if name.endswith("s"):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def _kinds_at(clone: str, ref: str) -> Iterator[tuple[tuple[str, str, str], str, int | None, int | None]]:
    texts = _texts(clone, ref)
    for name, text in texts.items():
        match = re.fullmatch(r"(\w+)/(v\w+)/types\.go", name)
        if match is None or match[1] in _ASKED:
            continue
        place = name.removesuffix("types.go")
        group = _GROUP.search(texts[f"{place}register.go"])
        assert group is not None, name
        lifecycle = texts.get(f"{place}zz_generated.prerelease-lifecycle.go", "")
        releases = {(kind, what): int(minor) for kind, what, minor in _RELEASE.findall(lifecycle)}
        for comments, kind in _TYPE.findall(text):
            key = (group[1], match[2], kind)
            tags = [line.lstrip("/ ").rstrip() for line in comments.splitlines()]
            if key not in _WITHOUT_CLIENT and ("+genclient" not in tags or "+genclient:noVerbs" in tags):
                continue
            scope = "Cluster" if "+genclient:nonNamespaced" in tags else "Namespaced"
            yield key, scope, releases.get((kind, "Introduced")), releases.get((kind, "Removed"))


def _texts(clone: str, ref: str) -> dict[str, str]:
    """The files that tell of kinds, by name."""
    names = ("types.go", "register.go", "zz_generated*.go")
    command = ["git", "-C", clone, "archive", "--format=tar", ref, "--", *(f":(glob)*/*/{name}" for name in names)]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        return {each.name: files.extractfile(each).read().decode() for each in files if each.isfile()}  # type: ignore[union-attr]  # it is a file


if __name__ == "__main__":
    sys.stdout.write(catalogue(sys.argv[1]))
