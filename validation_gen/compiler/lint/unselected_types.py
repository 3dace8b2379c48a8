"""Tags without effect: on unreachable types, in comments without a declaration, and with a misspelt beginning.

They affect nothing, so nothing here is an error. But their author expects an effect, and would not see mistakes in them
otherwise. A misspelt beginning (`+K8s:maxItems`, `+ks8:maxItems`, `k8s:maxItems`) makes a tag look like prose.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from validation_gen.compiler.lower import lower_program
from validation_gen.compiler.lower.unknown import merge_followups
from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Fix, Severity
from validation_gen.ir import Program
from validation_gen.rules.base import CustomFunctions
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue
from validation_gen.rules.spelling import is_tag
from validation_gen.sources.model import Package, TypeDecl, Universe
from validation_gen.sources.wellknown import wire_format
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import extract
from validation_gen.tags.suggestions import certain

#: With a plus sign nearly anything counts in front of a tag's name; without one the rest must be as in a tag.
_BEGINNING = re.compile(
    r"""\s*(?P<whole>
        (?: \+ (?!k8s:) [\s+]* (?:[kK]8[sS] | [kK][sS]8 | [kK]8 | 8[kK][sS] | [kK][sS]) \s? [:./_\ -]
        |   k8s: (?= \w+ (?:[=(] | \s*$)) )
        (?P<name>[A-Za-z]+)
    ) (?=$ | [=(\s])""",
    re.VERBOSE,
)


def report_prefixes(place: str, lines: Iterable[CommentLine], diagnostics: Diagnostics) -> None:
    """Warns of lines that would be tags if they began with `+k8s:`."""
    for line in lines:
        found = _BEGINNING.match(line.text) if "8" in line.text or "+" in line.text else None
        tag = certain(f"k8s:{found['name']}", catalogue()) if found else None
        if found and tag:
            whole = found["whole"]
            span = line.span.sub(*found.span("whole"))
            fix = Fix(f"write +{tag}", (Edit(span, whole, f"+{tag}"),))
            message = f"{place}: {whole} is no tag, so it has no effect"
            diagnostics.add(Diagnostic("VG103", Severity.WARNING, message, span, f"did you mean +{tag}?", fix=fix))


#: Prefixes of codes about tags themselves; missing handwritten functions are not checked.
_OF_TAGS = ("VG10", "VG20")
_ELSEWHERE = frozenset({"VG206"})
_NAME = re.compile(r"k8s:[\w-]+")
_MARKER_START = re.compile(r"[ \t+]*kubebuilder:", re.IGNORECASE)


def report_overlooked(
    universe: Universe, program: Program, custom: CustomFunctions, target: str, diagnostics: Diagnostics
) -> None:
    """Warns of slips in tags that the program does not depend on.

    Packages with tags on types that nothing reaches are lowered once more, with every type. `custom` finds handwritten
    functions, `target` is the release to agree with.
    """
    report_stray(universe, diagnostics)
    for package in universe.inputs:
        report_misspelt(package, diagnostics)
        report_beginnings(package, diagnostics)
    others = out_of_reach(universe, program)
    if others is not None:
        found = Diagnostics()
        lower_program(others, wire_format, found, custom=custom, every_type=True, target=target)
        merge_followups(found)
        diagnostics.extend(as_remarks(found, others, diagnostics))


def out_of_reach(universe: Universe, program: Program) -> Universe | None:
    """Returns the universe with only those packages as input that have tags on types outside of the program."""
    chosen = {package.path for package in universe.inputs if any(map(_is_tagged, _find_unselected(package, program)))}
    if not chosen:
        return None
    packages = {path: replace(package, input=path in chosen) for path, package in universe.packages.items()}
    return Universe(packages, universe.package)


def as_remarks(found: Diagnostics, beyond: Universe, known: Diagnostics) -> Iterator[Diagnostic]:
    """Converts new findings in unreachable packages to warnings, and omits findings in other packages."""
    lines = {(d.code, d.span) for d in known.items}
    places = {package.directory or "." for package in beyond.inputs}
    for d in found.items:
        of_tags = d.code.startswith(_OF_TAGS) and d.code not in _ELSEWHERE
        if of_tags and (d.span.file.rpartition("/")[0] or ".") in places and (d.code, d.span) not in lines:
            note = ("nothing that is validated refers to this type, so its tags have no effect so far", None)
            yield replace(d, severity=Severity.WARNING, notes=(*d.notes, note))


def report_stray(universe: Universe, diagnostics: Diagnostics) -> None:
    """Warns of validation tags, also misspelt ones, in comments that belong to no declaration."""
    for package in universe.inputs:
        _report_behind(package, diagnostics)
        for raw in extract(package.stray):
            if is_tag(raw.name) or _is_slip(raw.name):
                message = f"package {package.path}: +{raw.name} belongs to no declaration, so it has no effect"
                help = "put it into the comment right above a type or an exported field, without an empty line between"
                diagnostics.warning("VG201", message, raw.span, help)


def report_misspelt(package: Package, diagnostics: Diagnostics) -> None:
    """Warns of kubebuilder's markers with unknown names or beginnings, which this run would not read otherwise."""
    comments = [found for found in _comments(package) if any(map(_may_hold_marker, found[2]))]
    if not comments:
        return
    from validation_gen.rules.markers.base import Target  # noqa: PLC0415 - most packages have no markers
    from validation_gen.rules.markers.reader import MarkerReader  # noqa: PLC0415
    from validation_gen.rules.markers.spelling import own_lines, report_slips  # noqa: PLC0415

    found = Diagnostics()
    for place, is_field, lines in comments:
        target = Target.FIELD if is_field else Target.TYPE
        MarkerReader(found).report_names(extract(own_lines(lines)), target, place, found)
        report_slips(own_lines(lines), place, found)
    for finding in found.items:
        if finding.code == "VG521":
            diagnostics.add(finding)


def report_beginnings(package: Package, diagnostics: Diagnostics) -> None:
    """Warns of lines above types and fields that are no tags because of how they begin."""
    for place, _, lines in _comments(package):
        report_prefixes(place, lines, diagnostics)


def _report_behind(package: Package, diagnostics: Diagnostics) -> None:
    """Warns of tags that apply to another declaration than the one beside them, because Go assigns comments by line."""
    comments = [found for found in _comments(package) if any("+k8s:" in line.text for line in found[2])]
    above = {line.span.line for _, _, lines in comments for line in lines if not line.behind}
    for place, _, lines in comments:
        for raw in extract([line for line in lines if line.behind]):
            if is_tag(raw.name):
                message = f"{place}: +{raw.name} is behind the line above, but belongs to this"
                help = "put it into a line of its own above what it is about"
                if raw.span.line in above:
                    message = (
                        f"{place}: +{raw.name} is above several declarations on one line, and belongs to all of them"
                    )
                    help = "begin a new line with this"
                diagnostics.warning("VG201", message, raw.span, help)


@functools.cache  # the same few names occur in hundreds of comments
def _is_slip(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name not in DIRECTIVES and certain(name, catalogue()) is not None


def _find_unselected(package: Package, program: Program) -> Iterator[TypeDecl]:
    return (declaration for declaration in package.types.values() if str(declaration) not in program.types)


def _is_tagged(declaration: TypeDecl) -> bool:
    blocks = [declaration.closest, *(member.comments for member in declaration.fields)]
    return any(_may_be_ours(line.text) for block in blocks for line in block if "+k8s:" in line.text)


def _may_be_ours(text: str) -> bool:
    """Returns whether a text may be our tag: no directive and no tag of other generators."""
    name = text.partition("+")[2].strip()
    found = _NAME.match(name)
    return found is None or (found[0] not in DIRECTIVES and not found[0].endswith("-gen"))


def _may_hold_marker(line: CommentLine) -> bool:
    return "ubebuilder:" in line.text and _MARKER_START.match(line.text) is not None


def _comments(package: Package) -> Iterator[tuple[str, bool, Sequence[CommentLine]]]:
    """Yields the comments of types and fields, with their names in messages and whether each is a field."""
    for declaration in package.types.values():
        yield str(declaration), False, declaration.closest
        for member in declaration.fields:
            yield f"field {declaration}.{member.path_name or member.go_name}", True, member.comments
