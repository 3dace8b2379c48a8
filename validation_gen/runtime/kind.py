"""The kinds of a generated package, and the form of their list in the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A type that can be validated on its own.

    Attributes:
        module: the generated module, relative to the generated package.
        name: the Go type name, which is also the `kind` of a root type.
        package: the import path of its Go package.
        api_version: `group/version` for objects that name their kind, `""` for types that cannot.
        go_type: the type as Go's `%T` prints a pointer to it.
        subresources: the request paths it is validated for; `None` when nothing is checked for any.
        schemas: the generated module with the schema that judges it, too, relative to the package; `""` without one.
        namespaced: whether its objects are in namespaces.
        status: whether the status is written apart, so that requests about the whole object leave it as it is.
    """

    module: str
    name: str
    package: str
    api_version: str
    go_type: str
    subresources: tuple[str, ...] | None = ("/",)
    schemas: str = ""
    namespaced: bool = True
    status: bool = False


def kinds(
    module: str,
    package: str,
    name: str,
    table: Mapping[str, str],
    *,
    values: str = "",
    cluster: str = "",
    status: str = "",
    schemas: Sequence[str] = ("",),
) -> Iterator[Kind]:
    """Gives the kinds of one generated module, as a generated package lists them.

    Args:
        module: the generated module, relative to the generated package.
        package: the import path of the API package.
        name: the name of the API package.
        table: by the name of each type in one text: its `group/version`, if objects name their kind, and then the
            request paths that it is validated for, each with a slash before it. Without any, nothing is checked.
        values: the names of those types that Go hands on as values, not by pointers: lists and maps.
        cluster: the names of the kinds whose objects are in no namespace.
        status: the names of the kinds with a status apart that is not among their request paths.
        schemas: the generated module with schemas, and the names of the types that it has one of.
    """
    plain, unbound, apart = set(values.split()), set(cluster.split()), set(status.split())
    judges, *judged = schemas
    for type, words in table.items():
        found = words.split()
        version = "" if not found or found[0].startswith("/") else found.pop(0)
        go_type = f"{'' if type in plain else '*'}{name}.{type}"
        yield Kind(
            module,
            type,
            package,
            version,
            go_type,
            tuple(found) or None,
            judges if type in judged else "",
            type not in unbound,
            type in apart or "/status" in found,
        )
