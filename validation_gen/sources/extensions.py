"""Formats of a project, from files that `--validation-extensions-file` names.

Source of the behaviour: `validators/extensions.go` of `k8s.io/code-generator/cmd/validation-gen`, of Kubernetes 1.38. A
file is YAML: documents with a list `formats`. The keys `valid` and `invalid` are our own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.gotext import go_quote
from validation_gen.sources import recording_fs

CODE = "VG207"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAME_RULE = "name must be lower-case alphanumerics with dashes between words"
_RESERVED = "k8s"
#: Greatest size of a file in bytes, and the greatest numbers of formats of all files and of tests of one of them.
_MOST_BYTES, _MOST_FORMATS, _MOST_TESTS = 1 << 20, 1000, 1000
#: Characters of a text that a message shows.
_SHOWN = 60
#: A line break, which the message of a rule in a definition cannot have.
_LINE_BREAK = re.compile(r"[\n\r]")
_LONGEST = {"name": 128, "docs": 4096, "pattern": 4096, "message": 1024}
_EXAMPLE = "write formats: [{name: example-tag, docs: …, pattern: '^[a-z]+$', message: must be lower-case letters}]"


@dataclass(frozen=True, slots=True)
class Sample:
    """A text of a test, and its location."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class OwnFormat:
    """A format that a project declares.

    Attributes:
        name: as it is written in a tag.
        docs: its description.
        pattern: a regular expression of Go that a value must match somewhere.
        message: the whole detail of the error.
        span: the location of the name.
        valid: texts that must match.
        invalid: texts that must not.
        is_sound: False if the declaration has errors.
    """

    name: str
    docs: str
    pattern: str
    message: str
    span: Span
    valid: tuple[Sample, ...] = ()
    invalid: tuple[Sample, ...] = ()
    is_sound: bool = True

    @property
    def origin(self) -> str:
        """Origin of its errors."""
        return f"format={self.name}"


@dataclass(slots=True)
class Extensions:
    """The formats of a project by their names. `is_whole` is False if a file, or a document, could not be read."""

    formats: dict[str, OwnFormat] = field(default_factory=dict)
    is_whole: bool = True


def read_extensions(files: Sequence[str], diagnostics: Diagnostics, built_in: Callable[[str], bool]) -> Extensions:
    """Reads files in order, and reports their mistakes with their positions. `built_in` knows other formats' names."""
    found = Extensions()
    for file in files:
        _read(file, found, diagnostics, built_in)
    return found


def check_samples(extensions: Extensions, diagnostics: Diagnostics) -> None:
    """Runs the tests in the files, and reports those that fail."""
    from validation_gen.runtime.goregex import compiled  # noqa: PLC0415 - for projects with formats

    for each in extensions.formats.values():
        if not each.is_sound:
            continue
        pattern = compiled(each.pattern)
        for samples, wanted in ((each.valid, True), (each.invalid, False)):
            for sample in samples:
                if pattern.matches(sample.text) is wanted:
                    continue
                shown = go_quote(sample.text if len(sample.text) <= _SHOWN else f"{sample.text[:_SHOWN]}…")
                verdict = "does not match" if wanted else "matches"
                message = f'format "{each.name}": {shown} {verdict} the pattern "{each.pattern}"'
                key = "valid" if wanted else "invalid"
                help = f"change the pattern, or move the text out of `{key}`"
                if not wanted and not (each.pattern.startswith("^") and each.pattern.endswith("$")):
                    help = "a pattern may match a part of the text: begin it with ^ and end it with $"
                diagnostics.error("VG208", message, sample.span, help)


def _read(file: str, found: Extensions, diagnostics: Diagnostics, built_in: Callable[[str], bool]) -> None:
    from validation_gen.kubernetes.manifests import parse  # noqa: PLC0415 - it brings YAML

    path = Path(file)
    place = Span(path.as_posix())
    try:
        content = recording_fs.read(path)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        diagnostics.error("VG901", f"cannot read: {reason}", place, "check the path of --validation-extensions-file")
        found.is_whole = False
        return
    if len(content) > _MOST_BYTES:
        message = f"the file has {len(content):,} bytes, more than {_MOST_BYTES:,}"
        diagnostics.error(CODE, message, place, "divide it; the option can be repeated")
        found.is_whole = False
        return
    before = len(diagnostics.items)
    manifests = parse(place.file, content, diagnostics, lambda _: True)
    found.is_whole &= len(diagnostics.items) == before
    for manifest in manifests:
        _Reader(found, diagnostics, built_in, manifest.positions.span).document(manifest.obj)


@dataclass(slots=True)
class _Reader:
    """Reads one document."""

    found: Extensions
    diagnostics: Diagnostics
    built_in: Callable[[str], bool]
    span: Callable[[Sequence[str | int]], Span]

    def document(self, obj: Any) -> None:
        if not isinstance(obj, dict):
            self.found.is_whole = False
            self._report("the document must be a mapping", [], _EXAMPLE)
            return
        self._refuse_unknown(obj, [], ("formats",))
        formats = obj.get("formats")
        if formats is None:
            return
        if not isinstance(formats, list):
            self.found.is_whole = False
            self._report("formats must be a list", ["formats"], _EXAMPLE)
            return
        for index, each in enumerate(formats):
            if len(self.found.formats) >= _MOST_FORMATS:
                self._report(f"there are more than {_MOST_FORMATS:,} formats", ["formats", index], "delete some")
                return
            if isinstance(each, dict):
                self._format(each, index)
            else:
                self._report(f"formats[{index}] must be a mapping", ["formats", index], _EXAMPLE)

    def _format(self, table: Mapping[str, Any], index: int) -> None:
        path: list[str | int] = ["formats", index]
        findings = len(self.diagnostics.items)
        where = f"formats[{index}]"
        name = self._text(table, "name", path, where)
        if not name:
            self.found.is_whole = False
            return
        before = self.found.formats.get(name)
        if before is not None:
            self._report(
                f'{where}: format "{name}" was already defined in "{before.span.file}"',
                [*path, "name"],
                f"the other one is at {before.span}; delete one of them, or give it another name",
            )
            return
        where = f'{where} ("{name}")'
        self._refuse_unknown(table, path, (*_LONGEST, "valid", "invalid"), where)
        self._check_name(name, path, where)
        docs = self._text(table, "docs", path, where)
        pattern = self._text(table, "pattern", path, where)
        if pattern:
            self._check_pattern(pattern, path, where)
        message = self._text(table, "message", path, where)
        self.found.formats[name] = OwnFormat(
            name,
            docs,
            pattern,
            message,
            self.span([*path, "name"]),
            self._samples(table, "valid", path, where),
            self._samples(table, "invalid", path, where),
            len(self.diagnostics.items) == findings,
        )

    def _check_name(self, name: str, path: Sequence[str | int], where: str) -> None:
        here = [*path, "name"]
        if not _NAME.fullmatch(name):
            message = f'{where}: {_NAME_RULE}, matching "^{_NAME.pattern}$"'
            suggestion = "-".join(re.findall("[a-z0-9]+", name.lower()))
            self._report(message, here, f"write {suggestion}" if suggestion else "")
        elif self.built_in(name):
            message = f'{where}: "{name}" is a built-in format and cannot be redefined'
            self._report(message, here, "give it another name")
        elif name == _RESERVED or name.startswith(f"{_RESERVED}-"):
            message = f'{where}: name "{name}" cannot use the reserved "{_RESERVED}-" prefix'
            self._report(message, here, "begin it with the name of the project")

    def _check_pattern(self, pattern: str, path: Sequence[str | int], where: str) -> None:
        from validation_gen.runtime.goregex import GoRegexError, compiled  # noqa: PLC0415 - for projects with formats

        try:
            runs = compiled(pattern).automaton is not None
        except GoRegexError as error:
            message = f'{where}: pattern "{pattern}" does not compile: {error}'
            self._report(message, [*path, "pattern"], "write an expression of Go's package regexp, in single quotes")
        else:
            if not runs:
                message = f'{where}: pattern "{pattern}" has too many states to run here'
                self._report(message, [*path, "pattern"], "repeat smaller parts, or fewer times")

    def _text(self, table: Mapping[str, Any], key: str, path: Sequence[str | int], where: str) -> str:
        """Returns a text of a table; empty, and a finding, without one."""
        value = table.get(key)
        is_blank = isinstance(value, str) and not (value if key == "pattern" else value.strip())
        if value is None or is_blank:
            reason = ", so that errors explain the rule instead of printing the pattern" if key == "message" else ""
            self._report(f"{where}: {key} is required{reason}", [*path, key] if key in table else path, f"add {key}: …")
            return ""
        if not isinstance(value, str):
            self._report(f"{where}: {key} must be a string", [*path, key], "put it in single quotes")
            return ""
        if len(value) > _LONGEST[key]:
            message = f"{where}: {key} has {len(value):,} characters, more than {_LONGEST[key]:,}"
            self._report(message, [*path, key], "shorten it")
            return ""
        if key == "message" and _LINE_BREAK.search(value):
            self._report(f"{where}: message must not contain line breaks", [*path, key], "write it on one line")
            return ""
        return value

    def _samples(self, table: Mapping[str, Any], key: str, path: Sequence[str | int], where: str) -> tuple[Sample, ...]:
        values = table.get(key)
        if values is None:
            return ()
        if not isinstance(values, list) or len(values) > _MOST_TESTS:
            problem = "must be a list" if not isinstance(values, list) else f"has more than {_MOST_TESTS:,} texts"
            self._report(f"{where}: {key} {problem}", [*path, key], "list a few texts")
            return ()
        found = []
        for index, value in enumerate(values):
            here = [*path, key, index]
            if isinstance(value, str):
                found.append(Sample(value, self.span(here)))
            else:
                self._report(f"{where}: {key}[{index}] must be a string", here, "put it in single quotes")
        return tuple(found)

    def _refuse_unknown(
        self, table: Mapping[str, Any], path: Sequence[str | int], known: Sequence[str], where: str = ""
    ) -> None:
        for key in table:
            if key not in known:
                before = f"{where}: " if where else ""
                self._report(f'{before}unknown field "{key}"', [*path, key], f"there are {', '.join(known)}")

    def _report(self, message: str, path: Sequence[str | int], help: str) -> None:
        self.diagnostics.error(CODE, message, self.span(path), help)
