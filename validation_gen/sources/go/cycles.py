"""Finds types that contain themselves by value, also through other structs and arrays: they have no finite size.

Packages cannot import each other in a cycle, so each is checked separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.sources.model import Array, Named, Struct, TypeDecl, TypeExpr


def endless(package: str, types: Mapping[str, TypeDecl]) -> Iterator[tuple[str, Diagnostic]]:
    """Yields the findings about such types of a package, each with the id of its type."""
    edges = {name: list(_contained(package, declaration)) for name, declaration in types.items()}
    rings = _rings({name: [to for to, _ in found if to in types] for name, found in edges.items()})
    for name, found in edges.items():
        for to, span in found:
            if name in rings and rings.get(to) == rings[name]:
                owner = f"{package}.{name}"
                message = f"{owner}: the type contains itself by value{'' if to == name else f', through {to}'}"
                help = "make it a pointer or a list, which may be absent"
                yield owner, Diagnostic("VG302", Severity.ERROR, message, span, help)


def _contained(package: str, declaration: TypeDecl) -> Iterator[tuple[str, Span]]:
    """Yields the types of the package that are parts of a value of this one, with positions."""
    if isinstance(declaration.type, Struct):
        parts = [(field.type, field.span) for field in declaration.type.fields]
    else:
        parts = [(declaration.type, declaration.span)]
    for type, span in parts:
        inner: TypeExpr = type
        while isinstance(inner, Array):
            inner = inner.elem
        if isinstance(inner, Named) and inner.package == package:
            yield inner.name, span


def _rings(edges: Mapping[str, list[str]]) -> dict[str, str]:
    """Returns the types that lead back to themselves, each with one name for its ring (Tarjan's strong components)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found: dict[str, str] = {}
    for start in edges:
        work = [(start, iter(edges[start]))] if start not in number else []
        while work:
            node, rest = work[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                waiting.append(node)
            to = next(rest, None)
            if to is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    ring = waiting[waiting.index(node) :] if waiting[-1] != node else [node]
                    del waiting[-len(ring) :]
                    if len(ring) > 1 or node in edges[node]:
                        found |= dict.fromkeys(ring, node)
                    lowest |= dict.fromkeys(ring, len(edges))  # done: nothing behind it leads back here
            elif to not in number:
                work.append((to, iter(edges[to])))
            else:
                lowest[node] = min(lowest[node], lowest[to])
    return found
