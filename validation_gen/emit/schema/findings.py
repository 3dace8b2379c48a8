"""Finds rules that a schema cannot express, and contradictions between kinds and versions of one definition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from validation_gen.diagnostics import BUNDLED, Diagnostic, Severity, Span
from validation_gen.emit.checkwalk import Gap
from validation_gen.emit.schema.budget import Excess, Unfit, render_times
from validation_gen.emit.schema.resources import Definition
from validation_gen.emit.schema.structure import Excessive
from validation_gen.ir import PackagePlan, Program, Root

#: The problem, the version with it, and the help.
_Clash = tuple[str, tuple[PackagePlan, Root], str]


def clashes(program: Program, definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    """Yields contradictions that the API server would refuse, or settings that only one version can have."""
    names: dict[tuple[str, str], Definition] = {}
    for definition in definitions:
        for text in (_rivals, _storage, _scopes):
            for message, (package, root), help in text(definition):
                yield _clash(program, message, package, root, help)
        package, root = definition.versions[0]
        other = names.setdefault((definition.group, root.kind), definition)
        if other is not definition:
            message = f"the kind {root.kind} of {definition.group} is {other.plural} and {definition.plural}"
            yield _clash(
                program, message, package, root, "write the same +kubebuilder:resource:path= in all versions of a kind"
            )


def report_unmarked_kinds(program: Program, definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    """Warns of kinds without a marker for custom resources, if other kinds have one."""
    text = [any(root.resource.told for _, root in definition.versions) for definition in definitions]
    if any(text):
        for definition in (each for each, marked in zip(definitions, text, strict=True) if not marked):
            package, root = definition.versions[-1]
            message = f"{root.kind} gets a definition for its TypeMeta and ObjectMeta, and no marker declares it a kind"
            help = "write +kubebuilder:object:root=true above it, or +kubebuilder:skipversion if it is no resource"
            yield Diagnostic("VG551", Severity.WARNING, message, find_span(program, package, root), help)


def find_span(program: Program, package: PackagePlan, root: Root) -> Span:
    """Finds where a kind is declared, if possible as a resource."""
    plan = program.types.get(root.type)
    return root.resource.span or (plan.span if plan is not None else Span(package.directory))


def _rivals(definition: Definition) -> Iterator[_Clash]:
    for package, root in definition.rivals:
        known = definition.versions[0][1].kind
        if root.kind != known:
            message = f"{root.kind} and {known} both are {definition.name}"
            help = "name one of them with +kubebuilder:resource:path="
        else:
            message = f"{root.kind} of {definition.group} is declared twice in version {package.version}"
            help = "leave one of them out, with +kubebuilder:skipversion or by naming fewer paths"
        yield f"{message}; the definition goes without this one", (package, root), help


def _storage(definition: Definition) -> Iterator[_Clash]:
    stored = [version for version in definition.versions if version[1].resource.storage]
    for package, root in stored[1:]:
        message = f"{root.kind} is stored in {package.version} and in {stored[0][0].version}"
        yield message, (package, root), "leave +kubebuilder:storageversion in one version"


def _scopes(definition: Definition) -> Iterator[_Clash]:
    text = [version for version in definition.versions if version[1].resource.scope]
    for package, root in text[:-1]:
        newest, other = text[-1]
        if root.resource.scope != other.resource.scope:
            message = f"{root.kind} is {root.resource.scope} in {package.version} and {other.resource.scope} in "
            yield f"{message}{newest.version}", (package, root), "write the same scope in all versions"


def _clash(program: Program, message: str, package: PackagePlan, root: Root, help: str) -> Diagnostic:
    return Diagnostic("VG549", Severity.ERROR, message, find_span(program, package, root), help)


def findings(program: Program, definitions: Sequence[Definition]) -> list[Diagnostic]:
    """Returns the findings about all definitions, each once for a tag."""
    found: dict[tuple[str, Span, str], Diagnostic] = {}
    for definition in definitions:
        for diagnostic in report_omitted_rules(definition.gaps):
            _add(found, diagnostic, diagnostic.message)
        for excess in definition.excesses:
            costly = None if excess.lost else _excess(excess)
            if costly is not None:
                _add(found, costly, excess.rule.entry.rule)
        for span in definition.refused_defaults:
            help = "change the default, or the rule that it breaks"
            message = "this default is not valid, so the schema goes without it"
            _add(found, Diagnostic("VG544", Severity.WARNING, message, span, help), "default")
        for id in sorted(definition.cut):
            message = f"{program.types[id].name} is recursive, so its rules have no end; "
            message += "the schema takes any object there"
            help = "only validators see to it"
            _add(found, Diagnostic("VG540", Severity.WARNING, message, program.types[id].span, help), "cut")
        if "." not in definition.group:
            _add(found, _no_domain(program, definition), definition.plural)
    for diagnostic in (*clashes(program, definitions), *report_unmarked_kinds(program, definitions)):
        _add(found, diagnostic, diagnostic.message)
    # Users cannot change types that come with this program.
    return [each for each in found.values() if not each.span.file.startswith(BUNDLED)]


def unfit(definitions: Sequence[Definition]) -> Iterator[Unfit]:
    """Yields the parts that schemas omit because of unknown types."""
    for definition in definitions:
        yield from definition.unfit
        for excess in definition.excesses:
            if excess.lost:
                yield Unfit(excess.lost, "the schema goes without this rule", excess.rule.entry.span)


def report_truncated_kinds(program: Program, excess: Mapping[str, Collection[Excessive]]) -> list[Diagnostic]:
    """Returns warnings for kinds whose types are too deep or too large for a complete schema."""
    help = "make the types flatter; only validators look at the rest"
    return [
        Diagnostic(
            "VG305" if why is Excessive.DEPTH else "VG509",
            Severity.WARNING,
            f"{program.types[id].name}: {why.value}; the schema takes anything there",
            program.types[id].span,
            help,
        )
        for id, reasons in excess.items()
        for why in sorted(reasons, key=lambda why: why.name)
    ]


def report_omitted_rules(gaps: Iterable[Gap]) -> list[Diagnostic]:
    """Returns the rules that a schema does not have, each once."""
    found = {}
    for gap in gaps:
        message = f"{gap.tag.text}: {gap.reason}; the schema goes without the rule"
        found[gap] = Diagnostic("VG540", Severity.WARNING, message, gap.tag.span, "only validators see to it")
    return list(found.values())


def _add(found: dict[tuple[str, Span, str], Diagnostic], diagnostic: Diagnostic, what: str) -> None:
    found.setdefault((diagnostic.code, diagnostic.span, what), diagnostic)


def _excess(excess: Excess) -> Diagnostic | None:
    entry = excess.rule.entry
    span = entry.span
    if span is None:
        return None
    if excess.error:
        reason = excess.error.partition("\n")[0]
        if excess.dropped and excess.rule.tag is not None:
            message = f"{excess.rule.tag.text}: CEL cannot say it here ({reason}); the schema goes without the rule"
            return Diagnostic("VG540", Severity.WARNING, message, span, "only validators see to it")
        message = f"the API server refuses this rule: {reason}"
        return Diagnostic("VG542", Severity.ERROR, message, span, "fix the expression")
    times = render_times(excess.cost, excess.limit)
    limit = "all rules of a definition together" if excess.limit > 10**7 else "a rule"
    if excess.dropped and excess.rule.tag is not None:
        message = f"{excess.rule.tag.text}: in CEL it could cost {times} what the API server admits for {limit}; "
        message += "the schema goes without the rule"
        return Diagnostic("VG541", Severity.WARNING, message, span, _limits(excess))
    if excess.again and excess.rule.tag is not None:
        message = f"{excess.rule.tag.text}: with the old object it could cost {times} what the API server admits for "
        message += f"{limit}; so the schema checks unchanged values again"
        return Diagnostic("VG541", Severity.WARNING, message, span, _limits(excess))
    message = f"the rule could cost {times} what the API server admits for {limit}"
    return Diagnostic("VG542", Severity.ERROR, message, span, _limits(excess))


def _limits(excess: Excess) -> str:
    if not excess.unlimited:
        return "lower the limits on lists, maps and texts around the field, or leave the rule to validators"
    return f"limit {', '.join(excess.unlimited)} with +k8s:maxItems, +k8s:maxProperties or +k8s:maxLength"


def _no_domain(program: Program, definition: Definition) -> Diagnostic:
    package, root = definition.versions[-1]
    group = f'the group "{definition.group}"' if definition.group else "the core group"
    message = f"{root.kind} is in {group}, and the API server wants a domain for custom resources"
    place = find_span(program, package, root)
    help = "name a group with a dot in doc.go, such as +groupName=fleet.example.com"
    return Diagnostic("VG543", Severity.WARNING, message, place, help)
