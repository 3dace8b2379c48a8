"""Selects the types to check: those of the input that are in the program, unless they are suppressed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from validation_gen.build.lint.suppressions import nolints
from validation_gen.build.lint.survey import Survey
from validation_gen.diagnostics import Span
from validation_gen.sources.model import Array, List, Map, Named, Pointer, Struct, TypeDecl, TypeExpr
from validation_gen.tags.comments import CommentLine


def mentions(survey: Survey) -> dict[str, set[str]]:
    """Maps each type to those that it mentions, by their ids: the edges for `participants`."""
    owners = {str(owner): owner for owner in survey.owners()}
    return {id: _mentioned(survey, owner) & owners.keys() for id, owner in owners.items()}


def participants(
    survey: Survey, without: Set[Span] = frozenset(), edges: Mapping[str, set[str]] | None = None
) -> list[TypeDecl]:
    """Returns the types to check, each once, in the order of their ids: roots, and types reachable from them.

    A package without roots has its types for others, so there all of them count; elsewhere a type that no root reaches
    is never validated. As upstream, a type with the `nolint` tag also hides types that are reachable through it only.
    In a `doc.go` the tag silences the types of the package, and those of another package for which it generates. Tags
    at one of the locations `without` do not count. `edges` are the `mentions`, for repeated calls.
    """
    owners = {str(owner): owner for owner in survey.owners()}
    edges = mentions(survey) if edges is None else edges
    hiding = {id for id, owner in owners.items() if _says_nolint(owner.closest, without)}
    packages = _Packages.of(survey, without)
    shared = {id for id, owner in owners.items() if owner.package in packages.rootless}
    tops = (shared - _reachable(hiding, edges, set())) | packages.roots
    seen = _reachable(tops - hiding, edges, hiding)
    return [
        owner
        for id, owner in sorted(owners.items())
        if id in seen and owner.package in packages.wanted and not survey.decodes_itself(owner)
    ]


@dataclass(frozen=True, slots=True)
class _Packages:
    """`wanted`: packages to look at. `rootless`: those of them without roots. `roots`: the ids of all roots."""

    wanted: frozenset[str]
    rootless: frozenset[str]
    roots: frozenset[str]

    @staticmethod
    def of(survey: Survey, without: Set[Span]) -> _Packages:
        wanted, silent, rooted, roots = set(), set(), set(), set()
        for package in survey.types.universe.inputs:
            plan = survey.program.packages.get(package.path)
            ids = {root.type for root in plan.roots} if plan else set()
            sources = {survey.program.types[id].package for id in ids}
            rooted |= sources
            if _says_nolint(package.comments, without):
                silent |= sources | {package.path}
            else:
                wanted |= sources | {package.path}
                roots |= ids
        wanted -= silent
        return _Packages(frozenset(wanted), frozenset(wanted - rooted), frozenset(roots))


def _says_nolint(lines: Sequence[CommentLine], without: Set[Span]) -> bool:
    return any(raw.span not in without for raw in nolints(lines))


def _mentioned(survey: Survey, owner: TypeDecl) -> set[str]:
    return {survey.types.id(named) for named in _names(survey.types.resolve(owner.type))}


def _names(type: TypeExpr) -> Iterator[Named]:
    match type:
        case Named():
            yield type
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem):
            yield from _names(elem)
        case Map(key=key, elem=elem):
            yield from _names(key)
            yield from _names(elem)
        case Struct(fields=fields):
            for member in fields:
                yield from _names(member.type)


def _reachable(start: Iterable[str], edges: Mapping[str, set[str]], closed: set[str]) -> set[str]:
    """Returns the types reachable from some types without going through closed ones."""
    seen = set(start)
    todo = list(seen)
    while todo:
        new = edges[todo.pop()] - seen - closed
        seen |= new
        todo += new
    return seen
