"""Renders a program as admission policies and as the manifests of its webhook, as text by path, with findings.

It is separate from `definitions` and `pipeline`, as it needs YAML, CEL and the checker of configurations.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from validation_gen.compiler.lower.comments import unknown_options
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import BUNDLED, Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.policies import PolicyOptions
from validation_gen.emit.policies.documents import KindPolicies, build_kind_policies
from validation_gen.emit.policies.findings import TABLE, find_defined_kinds, find_marked_kinds, findings, table
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.findings import find_span
from validation_gen.emit.schema.resources import definitions
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.emit.webhooks import WebhookSettings
from validation_gen.emit.webhooks.files import as_files, manifests
from validation_gen.emit.webhooks.kinds import Resource, resources
from validation_gen.ir import Program
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import read_binding, read_policy
from validation_gen.kubernetes.registration import check, is_configuration
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.errors import FieldError
from validation_gen.sources import recording_fs

#: Suffix of a directory that is read recursively.
_BELOW = "/..."
#: Directory in the image for types whose path in the build context is unknown.
_ELSEWHERE = "types"


def build_webhooks(
    program: Program, judged: Program, webhook: WebhookSettings, settings: Settings | None, diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns the files by path, none without a validated resource.

    Args:
        program: has all kinds, with their notes as resources.
        judged: has the validators.
        webhook: settings for calling and running it.
        settings: settings of the validators: the server must build the same.
        diagnostics: takes omitted parts, and errors of the API server.
    """
    found = resources(program, judged)
    diagnostics.extend(_bodies(judged))
    if not found:
        return {}
    wanted = Settings(()) if settings is None else settings
    types = list(webhook.types) or _types((*wanted.paths, *wanted.definitions), diagnostics)
    options, files = _same(wanted, diagnostics)
    objects = manifests(found, webhook, [*types, *options])
    for path, obj in objects.items():
        if is_configuration(obj):
            diagnostics.extend(_refusals(path, obj, found, program))
    places = [posixpath.normpath(f"./{path}".removesuffix(_BELOW)) for path in types]
    copied = [*_modules(places), *places, *files, *_others(program, [*places, *files])]
    copied += [
        path for path in map(posixpath.normpath, webhook.files) if not any(_holds(each, path) for each in copied)
    ]
    return as_files(objects, webhook, [*types, *options], copied)


def _same(settings: Settings, diagnostics: Diagnostics) -> tuple[list[str], list[str]]:
    """Returns the options with which a server builds the same validators, and the files that these options name."""
    options: list[str] = []
    if settings.rules is not None:
        options += ["--rules", settings.rules.value]
    if settings.target != NEWEST:
        options += ["--target", settings.target]
    if settings.require_directive:
        options.append("--require-directive")
    if settings.known_tags:
        options.append("--known-tags")
    for path in settings.readonly:
        options += ["--readonly-pkg", path]
    files = []
    for name, path in settings.modules.items():
        files += _types([path], diagnostics)
        options += ["--module", f"{name}={files[-1]}"]
    for path in settings.custom:
        files += _types([path], diagnostics)
        options += ["--custom-validations", files[-1]]
    for path in settings.extensions:
        files += _types([path], diagnostics)
        options += ["--validation-extensions-file", files[-1]]
    return options, files


def _modules(types: Sequence[str]) -> Iterator[str]:
    """Yields the `go.mod` above each of some paths: the import paths of packages depend on it."""
    found = set()
    for path in types:
        for above in PurePosixPath(path).parents:
            file = str(above / "go.mod")
            if recording_fs.is_file(Path(file)):
                found.add(file)
                break
    yield from sorted(found)


def _others(program: Program, types: Sequence[str]) -> Iterator[str]:
    """Yields the directories of packages that types in the inputs refer to, where they are in the project, too."""
    known = list(types)
    used = {package.directory.replace("\\", "/") for package in program.packages.values() if not package.input}
    for path in sorted(posixpath.normpath(directory) for directory in used if directory):
        if _is_outside(path) or any(_holds(each, path) for each in known):
            continue
        if recording_fs.is_directory(Path(path)):  # not those that come with this program
            known.append(path)
            yield path


def _holds(directory: str, path: str) -> bool:
    return directory in (".", path) or path.startswith(f"{directory}/")


def _is_outside(path: str) -> bool:
    return path.startswith(("/", "../")) or path in ("..", "-") or ":" in path


def _types(inputs: Sequence[str], diagnostics: Diagnostics) -> list[str]:
    """Returns the inputs as an image can have them: paths below the directory where it is built."""
    paths = list(dict.fromkeys(posixpath.normpath(path.replace("\\", "/")) for path in inputs))
    outside = [path for path in paths if _is_outside(path)]
    if not outside:
        return paths
    message = f"no image can be built with {outside[0]}, so it is to have the types in {_ELSEWHERE}"
    help = 'write [webhooks] and below it types = ["apis"], as paths from where the image is built'
    diagnostics.warning("VG562", message, Span(outside[0]), help)
    return [_ELSEWHERE]


def _bodies(judged: Program) -> Iterator[Diagnostic]:
    """Yields findings about the bodies of subresources, which no webhook receives: their owner is unknown."""
    sound = {plan.id for plan in judged.validated_types}
    for package in judged.packages.values():
        for root in package.roots if package.input else ():
            if "/" not in root.subresources and root.type in sound:
                path = root.subresources[0] if root.subresources else "a subresource"
                message = f"{root.kind} is the body of {path}, and no webhook asks about it"
                help = "of custom resources, the API server asks about /scale with a Scale of autoscaling/v1"
                yield Diagnostic("VG562", Severity.WARNING, message, judged.types[root.type].span, help)


def _refusals(path: str, obj: dict[str, Any], found: Sequence[Resource], program: Program) -> Iterator[Diagnostic]:
    """Yields the API server's errors for a configuration: a name from the sources, or a mistake of ours."""
    spans = {
        resource.kind: program.types[root.type].span
        for resource in found
        for package in program.packages.values()
        for root in package.roots
        if root.kind == resource.kind and package.group == resource.group and root.type in program.types
    }
    for finding in check(obj):
        index = next((key for key in finding.keys if isinstance(key, int)), 0)
        hooks = obj["webhooks"]
        name = hooks[index]["name"] if index < len(hooks) else ""
        kind = next(
            (
                each.kind
                for each in found
                if name.partition(".")[2] == (each.name if each.group else f"{each.plural}.core")
            ),
            "",
        )
        message = f"the API server refuses {path}: {finding.message}"
        yield Diagnostic(finding.code, finding.severity, message, spans.get(kind, Span(path)), finding.help)


def build_policies(
    program: Program, schemas: SchemaOptions, options: PolicyOptions, diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns policies with bindings as YAML, and the table of rules, by file name. Omitted rules are reported."""
    kinds = build_kind_policies(program, definitions(program), schemas, options)
    found = [
        *findings(program, kinds, weaker=options.weaker),
        *find_marked_kinds(program, kinds),
        *find_defined_kinds(program),
    ]
    found += _policy_refusals(program, kinds)
    for finding in (*found, *unknown_options(schemas.options, program.options)):
        if not finding.span.file.startswith(BUNDLED):
            diagnostics.add(finding)
    files = {kind.file: _documents(kind.objects) for kind in kinds if kind.objects}
    files |= {kind.defaults_file: _documents(kind.mutating) for kind in kinds if kind.mutating}
    if files or any(kind.gaps or kind.excesses for kind in kinds):
        files[TABLE] = table(kinds)
    return files


def _documents(objects: Sequence[dict[str, Any]]) -> str:
    """Objects as the documents of one file."""
    first, *others = objects
    return as_yaml(first) + "".join(f"---\n{as_yaml(each, marker=None)}" for each in others)


def _policy_refusals(program: Program, kinds: Sequence[KindPolicies]) -> Iterator[Diagnostic]:
    """Yields the API server's first error for the policies of a kind: invalid names of groups and kinds."""
    for kind in kinds:
        for name, error in _errors(kind):
            message = f"the API server refuses the {name}: {error}"
            help = "name the group and the kind in letters, digits, dots and dashes"
            yield Diagnostic("VG572", Severity.ERROR, message, find_span(program, kind.package, kind.root), help)
            break


def _errors(kind: KindPolicies) -> Iterator[tuple[str, FieldError]]:
    for obj in (*kind.objects, *kind.mutating):
        binds = obj["kind"].endswith("Binding")
        for error in binding_errors(read_binding(obj)) if binds else policy_errors(read_policy(obj)):
            yield f"{obj['kind']} {obj['metadata']['name']}", error
