"""Which types are looked at: those of the input that take part in the program, unless somebody said no."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validation_gen.lint.suppressions import says_nolint
from validation_gen.lint.survey import Survey
from validation_gen.model import List, Map, Named, Pointer, Struct, TypeDecl, TypeExpr


def participants(survey: Survey) -> list[TypeDecl]:
    """The types to look at, each once, in the order of their ids.

    As upstream, a type with the `nolint` tag also hides what can be reached through it only. In its `doc.go` the tag
    silences the types of the package, and those of another package for which it generates.
    """
    owners = {str(owner): owner for owner in survey.owners()}
    edges = {id: _mentioned(survey, owner) & owners.keys() for id, owner in owners.items()}
    hiding = {id for id, owner in owners.items() if says_nolint(owner.closest)}
    roots, wanted, silent = _packages(survey)
    tops = (owners.keys() - _reachable(hiding, edges, set())) | roots
    seen = _reachable(tops - hiding, edges, hiding)
    return [
        owner
        for id, owner in sorted(owners.items())
        if id in seen and owner.package in wanted - silent and not survey.decodes_itself(owner)
    ]


def _packages(survey: Survey) -> tuple[set[str], set[str], set[str]]:
    """The ids of all roots, the packages that were asked for, and those of them that want to hear nothing."""
    universe, program = survey.types.universe, survey.program
    roots: set[str] = set()
    wanted = {package.path for package in universe.inputs}
    silent = set()
    for package in universe.inputs:
        plan = program.packages.get(package.path)
        generated_for = {program.types[root.type].package for root in plan.roots} if plan else set()
        wanted |= generated_for
        if says_nolint(package.comments):
            silent |= generated_for | {package.path}
        elif plan:
            roots |= {root.type for root in plan.roots}
    return roots, wanted, silent


def _mentioned(survey: Survey, owner: TypeDecl) -> set[str]:
    return {survey.types.id(named) for named in _names(survey.types.resolve(owner.type))}


def _names(type: TypeExpr) -> Iterator[Named]:
    match type:
        case Named():
            yield type
        case Pointer(elem=elem) | List(elem=elem):
            yield from _names(elem)
        case Map(key=key, elem=elem):
            yield from _names(key)
            yield from _names(elem)
        case Struct(fields=fields):
            for member in fields:
                yield from _names(member.type)


def _reachable(start: Iterable[str], edges: dict[str, set[str]], closed: set[str]) -> set[str]:
    """What can be reached from some types without going through closed ones."""
    seen = set(start)
    todo = list(seen)
    while todo:
        new = edges[todo.pop()] - seen - closed
        seen |= new
        todo += new
    return seen
