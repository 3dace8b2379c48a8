"""Rules that policies cannot express: as findings at the tags, and as a table beside the policies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.emit.checkwalk import Gap
from validation_gen.emit.output.root import MARKDOWN_MARKER
from validation_gen.emit.policies.budget import Excess
from validation_gen.emit.policies.documents import KindPolicies
from validation_gen.emit.schema.budget import render_times
from validation_gen.emit.schema.findings import find_span
from validation_gen.emit.schema.resources import is_defined
from validation_gen.ir import (
    FieldPlan,
    ListOf,
    MapOf,
    PackagePlan,
    Program,
    Root,
    Shape,
    StructRef,
    TagRef,
    value_shape,
)
from validation_gen.kubernetes.policies.requests import CALL_LIMIT

_WEBHOOK = "leave the rule to a webhook, with allow-weaker = true below [policies] of the configuration"
#: The name of the table.
TABLE = "README.md"


def findings(program: Program, kinds: Sequence[KindPolicies], *, weaker: bool) -> list[Diagnostic]:
    """Returns a finding for each rule that a policy omits: an error, or a warning if `weaker` policies are allowed.

    For rules about the status it is always a warning, because only controllers write the status.
    """
    found: dict[tuple[Span, str], Diagnostic] = {}
    for kind in kinds:
        lenient = _lines_of_status(program, kind.root)
        for gap in kind.gaps:
            severity = _severity(gap.tag, lenient, weaker=weaker)
            message = f"{gap.tag.text}: {gap.reason}; the policy goes without the rule"
            found.setdefault((gap.tag.span, message), _finding(message, gap.tag.span, severity))
        for excess in kind.excesses:
            severity = _severity(excess.tag, lenient, weaker=weaker)
            if excess.error:
                message = f"{excess.tag.text}: CEL cannot say it here ({_plain(excess)}); the policy goes without it"
                text = _finding(message, excess.tag.span, severity)
            else:
                text = _costly(excess, severity)
            found.setdefault((excess.tag.span, excess.tag.text), text)
    return list(found.values())


def _severity(tag: TagRef, lenient: set[tuple[str, int]], *, weaker: bool) -> Severity:
    is_lenient = weaker or (tag.span.file, tag.span.line) in lenient
    return Severity.WARNING if is_lenient else Severity.ERROR


def _lines_of_status(program: Program, root: Root) -> set[tuple[str, int]]:
    """Returns the lines of tags that only the status of a kind has, each with its file."""
    plan = program.types.get(root.type)
    fields = plan.fields if plan is not None else []
    status = _lines_below(program, [member for member in fields if member.json == "status"])
    others = _lines_below(program, [member for member in fields if member.json != "status"])
    return status - others


def _lines_below(program: Program, members: Sequence[FieldPlan]) -> set[tuple[str, int]]:
    """Returns the lines of the tags of fields and of all types that their values are made of."""
    lines: set[tuple[str, int]] = set()
    seen: set[str] = set()
    waiting = list(members)
    while waiting:
        member = waiting.pop()
        checks = [*member.checks, *(each for each in (member.keys, member.values) if each is not None)]
        shapes: list[Shape] = [member.shape]
        while shapes:
            shape = value_shape(shapes.pop())
            if isinstance(shape, ListOf | MapOf):
                shapes.append(shape.elem)
            id = shape.id if isinstance(shape, StructRef) else getattr(shape, "type", "")
            while id and id not in seen and (plan := program.types.get(id)) is not None:
                seen.add(id)
                checks += plan.checks
                waiting += plan.fields
                id = plan.base
        lines.update((check.tag.span.file, check.tag.span.line) for check in checks)
    return lines


def find_marked_kinds(program: Program, kinds: Sequence[KindPolicies]) -> list[Diagnostic]:
    """Returns findings about kinds with markers.

    The definition has their constraints, which a cluster checks for custom resources.
    """
    message = "what its markers say is in the schema of the definition, and in no policy"
    help = "apply the definition, too: validation-gen crd writes it"
    return [_in_definition(program, kind.package, kind.root, message, help) for kind in kinds if kind.marked]


def find_defined_kinds(program: Program) -> list[Diagnostic]:
    """Returns findings about the kinds of definitions. A server checks their schemas anyway."""
    message = "its rules are in the schema of its definition, and in no policy"
    help = "apply the definition: the API server validates objects by it"
    return [
        _in_definition(program, package, root, message, help)
        for package in program.packages.values()
        for root in package.roots
        if is_defined(program, root)
    ]


def _in_definition(program: Program, package: PackagePlan, root: Root, message: str, help: str) -> Diagnostic:
    return _finding(f"{root.kind}: {message}", find_span(program, package, root), Severity.WARNING, help)


def _finding(message: str, span: Span, severity: Severity, help: str = "") -> Diagnostic:
    usual = _WEBHOOK if severity is Severity.ERROR else "only validators see to it"
    return Diagnostic("VG570", severity, message, span, help or usual)


def _costly(excess: Excess, severity: Severity) -> Diagnostic:
    times = render_times(excess.cost, CALL_LIMIT)
    message = f"{excess.tag.text}: in a policy it could cost {times} what the API server spends on an expression; "
    message += "the policy goes without the rule"
    help = "limit the containers of the field with +k8s:maxItems, +k8s:maxProperties or +k8s:maxLength, or write "
    help += 'costly = "keep" below [policies] of the configuration'
    if severity is Severity.ERROR:
        help += f"; or {_WEBHOOK}"
    return Diagnostic("VG571", severity, message, excess.tag.span, help)


def _plain(excess: Excess) -> str:
    """Returns the error of an expression, without its position."""
    return excess.error.rpartition(": ")[2] if excess.error.startswith("ERROR: <input>") else excess.error


def table(kinds: Sequence[KindPolicies]) -> str:
    """Returns the table of all rules: which policies say them, and which stay with validators."""
    return "\n".join(_lines(kinds)) + "\n"


def _lines(kinds: Sequence[KindPolicies]) -> Iterator[str]:
    yield MARKDOWN_MARKER
    yield ""
    yield "# Rules and policies"
    yield ""
    yield "Rules that stay in the webhook are in no policy: keep `validation-gen webhook serve` for them, or drop them."
    yield ""
    yield "| Kind | Rules in policies | Rules that stay in the webhook |"
    yield "|---|---|---|"
    for kind in kinds:
        left = [*_left(kind)]
        yield f"| {kind.root.kind} ({kind.package.api_version}) | {len(kind.rules)} | {len(left)} |"
    marked = [f"{kind.root.kind} ({kind.package.api_version})" for kind in kinds if kind.marked]
    if marked:
        yield ""
        yield f"Markers are in the schemas of definitions, and in no policy: {', '.join(marked)}."
    for kind in kinds:
        left = [*_left(kind)]
        if not left:
            continue
        yield ""
        yield f"## {kind.root.kind} ({kind.package.api_version})"
        yield ""
        yield "| Field | Rule | Why it stays |"
        yield "|---|---|---|"
        for tag, reason in left:
            place = f"{tag.type.rpartition('/')[2]}.{tag.member}" if tag.member else tag.type.rpartition("/")[2]
            yield f"| {_cell(place)} | `{_cell(tag.text)}` | {_cell(reason)} |"


def _left(kind: KindPolicies) -> Iterator[tuple[TagRef, str]]:
    """Yields each rule that is left to validators, once, with the reason."""
    seen = set()
    reasons: list[Gap] = [*kind.gaps]
    for excess in kind.excesses:
        times = render_times(excess.cost, CALL_LIMIT)
        reason = f"CEL cannot express it: {_plain(excess)}" if excess.error else f"it could cost {times} the limit"
        reasons.append(Gap(excess.tag, reason))
    for gap in reasons:
        key = (gap.tag.place, gap.tag.text, gap.reason)
        if key not in seen:
            seen.add(key)
            yield gap.tag, gap.reason


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
