"""Writes the files that are generated from the catalogue: the classes of tags for `Annotated`, errors, and a table.

The classes, in `validation_gen/tags/__init__.py`, are generated, and not made at import, so that editors and type
checkers know the parameters of a tag, and so that programs can import them without the catalogue. The errors in
articles come from the generated validators alone; they are in `commands/explain/errors.json`. The table of releases is
in `docs/compatibility.md`. `make docs` runs this.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from validation_gen import tags
from validation_gen.commands.explain.article import table, wrap
from validation_gen.commands.explain.tags import FILE, usages
from validation_gen.compiler.pipeline import build_program, load_validators
from validation_gen.compiler.settings import Settings
from validation_gen.emit.output import replace_file
from validation_gen.ir import Program
from validation_gen.rules.base import ArgSpec, Rule
from validation_gen.rules.differences import Refusal
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST, RELEASES, TOO_FEW, Change
from validation_gen.rules.spelling import former_names
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import Level
from validation_gen.tags.model import ValueType
from validation_gen.types.naming import attribute_name

_HEADER = '''\
"""Tags: as values for `Annotated[…]`, such as `Annotated[str, MaxLength(64)]`, and as text in comments.

This module is public, and `make docs` generates it. It has a class for each tag of the catalogue. Each takes the
arguments of its tag: the positional argument first, then the payload, then the named arguments. A tag without arguments
may also be given as its class. A value only writes the comment of its tag.

The other modules of the room parse comment lines. The input are lines with their positions. The output are `Tag`s of
`model`, with the span of every part, or findings. Only `rules` knows the meaning of a tag. Begin with `parser`.

- `values`: the common base of the classes in this module, which import nothing else.
- `parser`: parses comment lines by the grammar of gengo codetags (`grammar.lark`) into the records of `model`.
- `suggestions`: corrections for unknown names and malformed tags.
"""

from typing import overload

from validation_gen.tags.values import Form, TagValue
'''
_ANNOTATIONS = {
    ValueType.STRING: "str",
    ValueType.INT: "int",
    ValueType.BOOL: "bool",
    ValueType.RAW: "str | int | bool",
    ValueType.TAG: "TagValue | type[TagValue]",
}
_RELEASES = re.compile(r"(?<=^<!-- releases -->\n).*?(?=^<!-- /releases -->$)", re.DOTALL | re.MULTILINE)
_WIDTH = 120
_INDENT = " " * 4


def vocabulary() -> str:
    """Returns the text of the module."""
    return "".join(f"{line}\n" for line in _module())


def class_name(rule: Rule) -> str:
    """Returns the class name of a tag: `MaxLength` for `k8s:maxLength`."""
    name = rule.name.rpartition(":")[2]
    return name[0].upper() + name[1:]


def _module() -> Iterator[str]:
    rules = {class_name(rule): rule for rule in catalogue().values()}
    exported = ["VOCABULARY", *sorted([*rules, "TagValue"])]
    yield from _HEADER.splitlines()
    yield from ("", "__all__ = [", *(f'{_INDENT}"{name}",' for name in exported), "]")
    for name, rule in rules.items():
        yield from ("", "", f"class {name}(TagValue):", *_indented(_class_body(rule)))
    yield from ("", "", "#: The classes by their names.", "VOCABULARY: dict[str, type[TagValue]] = {")
    yield from (f'{_INDENT}"{name}": {name},' for name in rules)
    yield "}"


def _class_body(rule: Rule) -> Iterator[str]:
    written = " or ".join(f"`{usage}`" for usage in usages(rule))
    yield from (f'"""{rule.doc}', "", *wrap(f"In a comment {written}.", _WIDTH - len(_INDENT)))
    parameters = list(_described(rule))
    if parameters:
        yield from ("", "Args:")
    for name, doc in parameters:
        first, *rest = wrap(f"{name}: {doc}", _WIDTH - 4 * len(_INDENT))
        yield from _indented([first, *_indented(rest)])
    yield from ('"""', "", *_call("form = Form", _form(rule), ""), "")
    if _argument_is_optional(rule):
        yield from _overloaded(rule)
    else:
        yield from _initialiser(rule)


def _described(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yields the descriptions of parameters, in the order of the signature."""
    argument = _argument(rule)
    if argument:
        yield "argument", argument.doc
    if rule.payload:
        yield _payload_name(rule), rule.payload.doc
    yield from ((attribute_name(spec.name), spec.doc) for spec in _named(rule))
    if rule.other_args:
        yield "keys", rule.other_args.doc


def _form(rule: Rule) -> Iterator[str]:
    """Yields the arguments of the class's `Form`."""
    argument = _argument(rule)
    yield f'"{rule.name}"'
    if argument:
        yield f'argument="{argument.type.value}"'
    if rule.payload:
        yield f'payload="{rule.payload.type.value}"'
    if rule.payload and not rule.payload.required:
        yield "payload_required=False"
    if _named(rule):
        kinds = ", ".join(f'"{attribute_name(spec.name)}": "{spec.type.value}"' for spec in _named(rule))
        yield f"named={{{kinds}}}"
    if rule.other_args:
        yield f'keys="{rule.other_args.type.value}"'


def _initialiser(rule: Rule) -> Iterator[str]:
    argument = [f"argument: {_ANNOTATIONS[spec.type]}" for spec in [_argument(rule)] if spec]
    positional = [*argument, *_payload(rule)]
    yield from _def([*positional, *(["/"] if positional else [])], _names(rule, ()))
    yield from _forward([parameter.partition(":")[0] for parameter in positional], rule)


def _overloaded(rule: Rule) -> Iterator[str]:
    """Yields the overloads of a tag whose positional argument is short for a named one."""
    argument = _argument(rule)
    assert argument is not None
    short = f"argument: {_ANNOTATIONS[argument.type]}"
    yield from ("@overload", *_def([short, *_payload(rule), "/"], [], " ..."), "")
    yield from ("@overload", *_def([*_payload(rule), "/"], _names(rule, rule.one_of), " ..."), "")
    yield from _def(["*values: object"], _names(rule, ())[1:])
    yield from _forward(["*values"], rule)


def _payload(rule: Rule) -> list[str]:
    """Returns the parameter for the value behind the equals sign."""
    if not rule.payload:
        return []
    annotation = _ANNOTATIONS[rule.payload.type]
    return [f"{_payload_name(rule)}: {annotation if rule.payload.required else f'{annotation} | None = None'}"]


def _names(rule: Rule, needed: Sequence[str]) -> list[str]:
    """Returns the parameters for named arguments; those in `needed` have no default."""
    if rule.other_args:
        return [f"**keys: {_ANNOTATIONS[rule.other_args.type]}"]
    names = []
    for spec in sorted(_named(rule), key=lambda spec: spec.name not in needed):
        optional = "" if spec.required or spec.name in needed else " | None = None"
        names.append(f"{attribute_name(spec.name)}: {_ANNOTATIONS[spec.type]}{optional}")
    return ["*", *names] if names else []


def _forward(values: Iterable[str], rule: Rule) -> Iterator[str]:
    """Yields the body of an initialiser, which calls the base class."""
    names = ["**keys"] if rule.other_args else [f"{n}={n}" for n in (attribute_name(s.name) for s in _named(rule))]
    yield from _indented(_call("super().__init__", [*values, *names], ""))


def _argument(rule: Rule) -> ArgSpec | None:
    return next((spec for spec in rule.args if not spec.name), None)


def _argument_is_optional(rule: Rule) -> bool:
    argument = _argument(rule)
    return argument is not None and not argument.required


def _named(rule: Rule) -> list[ArgSpec]:
    return [spec for spec in rule.args if spec.name]


def _payload_name(rule: Rule) -> str:
    return "tag" if rule.payload and rule.payload.type is ValueType.TAG else "value"


def _def(positional: Iterable[str], named: Iterable[str], body: str = "") -> Iterator[str]:
    yield from _call("def __init__", ["self", *positional, *named], f" -> None:{body}")


def _call(name: str, arguments: Iterable[str], behind: str) -> list[str]:
    """Returns a call or a head of a function, on one line if it fits at the indentation of a class body."""
    parts = list(arguments)
    line = f"{name}({', '.join(parts)}){behind}"
    if len(line) <= _WIDTH - 2 * len(_INDENT):
        return [line]
    return [f"{name}(", *(f"{_INDENT}{part}," for part in parts), f"){behind}"]


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" if line else "" for line in lines)


def refusals() -> dict[str, Refusal]:
    """Returns the samples by tag, in alphabetical order."""
    return {name: rule.refusal for name, rule in catalogue().items() if rule.refusal is not None}


def render_errors() -> str:
    """Returns the text of `commands/explain/errors.json`."""
    found = {
        name: [[error.type.value, error.origin, error.level, str(error)] for error in refused(refusal)]
        for name, refusal in refusals().items()
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def refused(refusal: Refusal, target: str = NEWEST) -> list[FieldError]:
    """Returns the errors of a sample.

    Raises:
        ValueError: the declarations have errors; the text lists them.
    """
    registry = load_validators(build_sample_program(refusal, target))
    kind = registry.of_type("Robot")[0]
    old = json.loads(refusal.old) if refusal.old else None
    obj, options = json.loads(refusal.object), refusal.options
    return registry.run(kind, obj, old, update=old is not None, options=options, level=Level.ALPHA)


def build_sample_program(refusal: Refusal, target: str = NEWEST) -> Program:
    """Returns the program of a sample's declarations.

    Raises:
        ValueError: they have errors; the text lists them.
    """
    with tempfile.TemporaryDirectory() as directory:
        package = Path(directory, "v1")
        package.mkdir()
        (package / "types.go").write_text(f"package v1\n\n{refusal.go}", encoding="utf-8")
        custom = []
        if refusal.custom:
            custom = [str(Path(directory, "checks.py"))]
            Path(custom[0]).write_text(refusal.custom, encoding="utf-8")
        with _alone(directory):
            result = build_program(Settings((str(package),), custom=tuple(custom), target=target, every_type=True))
    if result.diagnostics.has_errors:
        raise ValueError("; ".join(d.message for d in result.diagnostics.sorted()))
    return result.program


@contextmanager
def _alone(directory: str) -> Iterator[None]:
    """Isolates the sample from Go modules around it."""
    before = os.environ.get("GOMODCACHE")
    os.environ["GOMODCACHE"] = directory
    try:
        yield
    finally:
        if before is None:
            del os.environ["GOMODCACHE"]
        else:
            os.environ["GOMODCACHE"] = before


# --- the table of releases --------------------------------------------------------------------------------------------


def with_releases(text: str) -> str:
    """Returns a page with its part between `<!-- releases -->` and `<!-- /releases -->` regenerated."""
    return _RELEASES.sub(lambda _: releases(), text)


def releases() -> str:
    """Returns a table of the differences between releases."""
    return "".join(f"{line}\n" for line in _differences())


def _differences() -> Iterator[str]:
    changes: dict[Change, list[str]] = {}
    for rule in catalogue().values():
        for change in rule.changes:
            changes.setdefault(change, []).append(f"`+{rule.name}`")
    rows = [(", ".join(names), f"{c.release}: {c.now}", c.before) for c, names in changes.items()]
    rows.append(("errors of schemas", f"{TOO_FEW.release}: {TOO_FEW.now}", TOO_FEW.before))
    rows.append(("a tag that is newer than the target", "", "an error"))
    for name, (rule, former) in sorted(former_names().items()):
        since = RELEASES[RELEASES.index(former.until) + 1]
        rows.append((f"`+{rule.name}`", f"{since}: this name", f"`+{name}`"))
    yield from table(("topic", "from", "before"), rows)


def write(directory: Path, module: Path) -> None:
    """Writes the table in a page of the directory, and the module with the classes of the tags."""
    page = directory / "compatibility.md"
    replace_file(page, with_releases(page.read_text(encoding="utf-8")).encode())
    replace_file(module, vocabulary().encode())


if __name__ == "__main__":
    replace_file(FILE, render_errors().encode())
    write(Path("docs"), Path(tags.__file__))
