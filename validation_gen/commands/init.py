"""Writes a first configuration for a repository: a file of its own, or a table behind an existing `pyproject.toml`.

Existing text never changes: bytes are only added, and the result is read again as a check. For types without any tags
it proposes first ones, for people to review.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validation_gen.compiler.config.files import OWN, SHARED, open_document, parse
from validation_gen.compiler.config.keys import report
from validation_gen.compiler.config.survey import ProjectScan, survey
from validation_gen.compiler.emitters import CRD, PYTHON, Emitter
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import MARKER, RefusedError, is_ours, is_within
from validation_gen.emit.output.owned import replace_below
from validation_gen.files import reading
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import counted
from validation_gen.sources.languages import GO, find_language

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_ABOUT = "Options of validation-gen; `validation-gen config show` says what holds, `config schema` what may stand here."


_DEFINITION = re.compile(rb"^kind: *['\"]?CustomResourceDefinition\b", re.MULTILINE)

#: Usual directories of definitions: that of kubebuilder's layout first.
DEFINITIONS = ("config/crd/bases", "pkg/apis/crds", "config/crds", CRD.directory)


@dataclass(frozen=True, slots=True)
class Start:
    """The configuration file to write, with its old content (`None` for a new file) and its new content."""

    file: Path
    before: bytes | None
    after: bytes
    outputs: dict[Emitter, str]
    #: The directory with foreign definitions to patch with schemas; `""` if there is none.
    patched: str = ""


def start(directory: Path, found: ProjectScan, output: str, diagnostics: Diagnostics) -> Start | None:
    """Returns the configuration to write; validators go to `output`.

    `None` if there is a configuration already, or it cannot be added, which is reported.
    """
    own, shared = directory / OWN, directory / SHARED
    if os.path.lexists(own):
        message = "there is a configuration already"
        diagnostics.error("VG903", message, Span(own.as_posix()), "validation-gen config show says what holds")
        return None
    if found.python:
        # It has our table, or is malformed: in both cases the user has to review it first.
        document = open_document(shared, diagnostics)
        if document is not None:
            span = document.places.key(document.at)
            help = "validation-gen config show says what holds"
            diagnostics.error("VG903", "there is a configuration already", span, help)
        if diagnostics.items:
            return None
    outputs = {PYTHON: output}
    if found.kinds and found.grouped:
        outputs[CRD] = next((place for place in DEFINITIONS if os.path.isdir(directory / place)), CRD.directory)  # noqa: PTH112
    patched = outputs[CRD] if CRD in outputs and holds_others(directory / outputs[CRD]) else ""
    if found.python and not any(map(GO.has, found.files)):
        return _append(shared, found, outputs, patched, diagnostics)
    return Start(own, None, f"# {_ABOUT}\n{_text(found, outputs, patched)}".encode(), outputs, patched)


def holds_others(directory: Path) -> bool:
    """Returns whether another tool, such as controller-gen, has written definitions there."""
    try:
        files = [file for file in sorted(directory.iterdir()) if file.suffix in (".yaml", ".yml") and file.is_file()]
        texts = [(file.name, reading.read(file)) for file in files]
    except (OSError, ValueError):
        return False
    return any(_DEFINITION.search(text) and not is_ours(name, text) for name, text in texts)


def _append(
    file: Path, found: ProjectScan, outputs: dict[Emitter, str], patched: str, diagnostics: Diagnostics
) -> Start | None:
    name = file.as_posix()
    try:
        before = reading.read(file)
    except OSError as error:
        diagnostics.error("VG901", f"cannot read: {error.strerror or error}", Span(name), "check the permissions")
        return None
    parsed = parse(name, before, diagnostics)
    if parsed is None:
        return None
    known = parsed[0]
    text = f"# {_ABOUT}\n[tool.validation-gen]\n{_text(found, outputs, patched, 'tool.validation-gen.')}"
    end = "\r\n" if b"\r\n" in before else "\n"
    gap = "" if not before else end if before.endswith(b"\n") else end * 2
    after = before + (gap + text.replace("\n", end)).encode()
    try:
        now = tomllib.loads(after.decode("utf-8-sig"))
        added = now["tool"].pop("validation-gen")
    except (ValueError, RecursionError, KeyError, AttributeError, TypeError):
        added = None
    if not added or (now if "tool" in known else {k: v for k, v in now.items() if k != "tool"}) != known:
        message = (
            f"a table cannot be added to this file; it would be [tool.validation-gen] with inputs = {_list(found)}"
        )
        report(diagnostics, message, Span(name), f"write it by hand, or write {OWN}")
        return None
    return Start(file, before, after, outputs, patched)


def _text(found: ProjectScan, outputs: dict[Emitter, str], patched: str, prefix: str = "") -> str:
    emitted = [f'emit = ["{CRD.name}"]'] if CRD in outputs and not patched else []
    lines = [f"inputs = {_list(found)}", *emitted, f'target = "{NEWEST}"', "", f"[{prefix}outputs]"]
    lines += [
        f'{emitter.name} = "{directory}"' for emitter, directory in outputs.items() if emitter is not CRD or not patched
    ]
    if patched:
        lines += ["", f"[{prefix}{CRD.name}]", f'patch-schemas = "{patched}"']
    return "\n".join(lines) + "\n"


def _list(found: ProjectScan) -> str:
    return f"[{', '.join(_quote(each) for each in found.inputs)}]"


def _quote(text: str) -> str:
    """Quotes a text as a TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


_GO_STRUCT = re.compile(r"type (\w+) struct \{")
_GO_FIELD = re.compile(r'\s+(\w+)\s+(\S+)\s+`.*?json:"([^",]+)(,[^"]*)?"')
_PYTHON_CLASS = re.compile(r"class (\w+)\b.*:")
_PYTHON_FIELD = re.compile(r"    (\w+): ([\w\[\], |.]+?)(\s*=.*)?$")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Tags for one field."""

    file: str
    line: int
    field: str
    tags: tuple[str, ...]


def proposals(directory: Path, files: list[str], most: int = 3) -> list[Proposal]:
    """Returns tags for a few fields, preferably those of manifests: the fields of a `…Spec`."""
    found: list[Proposal] = []
    for file in files:
        try:
            text = reading.read(directory / file).decode(errors="replace")
        except OSError:
            continue
        found += _of_go(file, text) if GO.has(file) else _of_python(file, text)
    found.sort(key=lambda each: not each.field.partition(".")[0].endswith("Spec"))
    return found[:most]


def _of_go(file: str, text: str) -> Iterator[Proposal]:
    struct = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _GO_STRUCT.match(line):
            struct = match[1]
        elif line.startswith("}"):
            struct = ""
        elif struct and (match := _GO_FIELD.match(line)):
            name, type, _, options = match.groups()
            optional = type.startswith("*") or "omitempty" in (options or "")
            tags = _tags(type.removeprefix("*"), optional=optional)
            if tags:
                yield Proposal(file, number, f"{struct}.{name}", tags)


def _of_python(file: str, text: str) -> Iterator[Proposal]:
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _PYTHON_CLASS.match(line):
            name = match[1]
        elif line and not line[0].isspace():
            name = ""
        elif name and (match := _PYTHON_FIELD.match(line)):
            type = {"str": "string", "int": "int64"}.get(match[2].removesuffix(" | None").strip(), match[2])
            type = "[]" if type.startswith("list[") else type
            tags = _tags(type, optional="None" in match[2] or bool(match[3]))
            if tags:
                yield Proposal(file, number, f"{name}.{match[1]}", tags)


def _tags(type: str, *, optional: bool) -> tuple[str, ...]:
    presence = "+k8s:optional" if optional else "+k8s:required"
    if type == "string":
        return presence, "+k8s:maxLength=64"
    if type in {"int", "int32", "int64"}:
        return "+k8s:optional" if optional else "", "+k8s:minimum=0"
    if type.startswith("[]") and type != "[]byte":
        return presence, "+k8s:maxItems=16"
    return ()


#: Directories for validators, by preference.
_DIRECTORIES = (PYTHON.directory, "validators", "generated_validators")


def propose(root: Path, diagnostics: Diagnostics) -> tuple[ProjectScan, Start] | None:
    """Returns the API types of a repository and its first configuration; `None` if there is a problem."""
    if not os.path.isdir(root):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        diagnostics.error("VG901", "there is no such directory", Span(root.as_posix()), "check the path")
        return None
    found = survey(root)
    if not found.files:
        help = "name the directory of a repository that has API types with markers, tags or TypeMeta"
        diagnostics.error("VG902", "there are no API types here", Span(root.as_posix()), help)
        return None
    made = start(root, found, _output(root), diagnostics)
    return None if made is None else (found, made)


def _output(root: Path) -> str:
    """Returns a directory for validators: a new one, or one that an earlier run has generated."""
    for name in _DIRECTORIES:
        if not os.path.lexists(root / name) or _is_generated(root / name):
            return name
    return _DIRECTORIES[0]


def _is_generated(directory: Path) -> bool:
    try:
        return reading.read(directory / "__init__.py").startswith(MARKER.encode())
    except OSError:
        return False


def write(made: Start, diagnostics: Diagnostics) -> None:
    """Writes the file: creates it if it is missing, else adds to it."""
    try:
        if made.before is None:
            with made.file.open("xb") as file:
                file.write(made.after)
            return
        if not is_within(os.fspath(made.file), os.fspath(made.file.parent)):
            raise RefusedError("this is a link that leads out of the directory, so it is kept")
        if reading.read(made.file) != made.before:
            raise RefusedError("it has changed while it was read; run again")
        replace_below(os.fspath(made.file.parent), os.path.realpath(made.file), made.after)
    except OSError as error:
        place = Span(made.file.as_posix())
        diagnostics.error("VG903", f"cannot write: {error.strerror or error}", place, "check the permissions")


def render_diff(made: Start) -> str:
    """Renders the change of the file."""
    name = made.file.as_posix()
    before, after = ((text or b"").decode(errors="replace").splitlines(True) for text in (made.before, made.after))
    old = "/dev/null" if made.before is None else name
    lines = difflib.unified_diff(before, after, old, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def list_steps(root: Path, found: ProjectScan, made: Start) -> Iterator[str]:
    """Yields a summary of the changes, and the next steps."""
    done = "wrote" if made.before is None else "added [tool.validation-gen] to"
    yield f"{done} {made.file.as_posix()}: {_summary(found)} in {', '.join(found.inputs)}"
    if not (found.tagged or found.marked):
        for proposal in proposals(root, found.files):
            language = find_language(proposal.file)
            comment = language.comment if language else "#"
            yield f"a first tag, above {proposal.field} in {(root / proposal.file).as_posix()}:{proposal.line}"
            yield from (f"  {comment} {tag}" for tag in proposal.tags if tag)
    yield "next:"
    place = "" if root.resolve() == Path.cwd() else f"cd {root.as_posix()} && "
    validators = f"validators into {made.outputs[PYTHON]}/"
    crds = made.outputs.get(CRD, "")
    is_emitted = crds and not made.patched
    steps = [("validation-gen", f"write {validators}" + (f", definitions into {crds}/" if is_emitted else ""))]
    if made.patched:
        steps.append(("validation-gen crd", f"put the schemas into the definitions in {crds}/"))
    if found.marked:
        steps.append(
            (f"validation-gen convert markers {found.inputs[0]}", "show which markers can be rewritten as tags")
        )
    steps.append(("validation-gen --check", "in CI: fail if one of them is not up to date"))
    if made.patched:
        steps.append(("validation-gen crd --check", "in CI: fail if a definition has another schema"))
    width = max(len(command) for command, _ in steps)
    yield from (f"  {place}{command:{width}}  # {text}" for command, text in steps)
    if found.kinds and not crds:
        yield "for CustomResourceDefinitions:"
        yield f'  write +groupName=GROUP above the package clause, then emit = ["{CRD.name}"] in {made.file.name}'


def _summary(found: ProjectScan) -> str:
    """Returns a summary: how many files have API types, and how many of these have tags or markers."""
    files, tagged, marked = len(found.files), len(found.tagged), len(found.marked)
    if files == tagged:
        return f"{counted(files, 'file')} with tags"
    suffix = f", {marked} with markers of controller-gen" if marked else ""
    types = f"{counted(files, 'file')} with API types{suffix}"
    return f"{types}, {tagged} with tags," if tagged else f"{types}, but without tags"
