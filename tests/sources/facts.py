"""Extracts the facts about the types of `k8s.io/api` from a checkout; they ship with this program.

The facts of a package are Go text with names, types, JSON names, constants and markers, without documentation,
functions, and markers of other generators. They are read like any other source, so both have one reader.

One text has the facts of several releases: `//release 1.36 1.37` precedes lines that only these have, and `//release`
alone lines that all have. `at_release` of `wellknown` selects those of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.go.comments import Comments
from validation_gen.sources.go.files import GoFile
from validation_gen.sources.go.finder import read_directory
from validation_gen.sources.go.literals import string_value
from validation_gen.sources.go.scope import SyntaxTree
from validation_gen.sources.wellknown import RELEASE_LINE

if TYPE_CHECKING:
    from tree_sitter import Node

MODULE = "k8s.io/api"
#: Packages whose types other APIs embed, and those that these refer to.
PACKAGES = tuple(
    f"{MODULE}/{name}"
    for name in (
        *("admission/v1", "admissionregistration/v1", "apps/v1", "authentication/v1", "authorization/v1"),
        *("autoscaling/v1", "autoscaling/v2", "batch/v1", "batch/v1beta1", "certificates/v1", "coordination/v1"),
        *("core/v1", "discovery/v1", "events/v1", "networking/v1", "networking/v1beta1", "node/v1", "policy/v1"),
        *("policy/v1beta1", "rbac/v1", "rbac/v1beta1", "scheduling/v1", "scheduling/v1alpha3", "storage/v1"),
    )
)

_HEAD = "// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.\n"
#: Markers about values. Others with the same prefixes are for other generators.
MARKER = re.compile(
    r"\+(?:k8s:(?!deepcopy|prerelease|protobuf|conversion|openapi|defaulter)|kubebuilder:|groupName\b"
    r"|(?:optional|required|nullable|default|listType|listMapKey|mapType|structType|patchStrategy|patchMergeKey|enum)\b)"
)
_QUOTED = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')|\s+')
_TAG = re.compile(r"`[^`]*`\s*$")
_PAIR = re.compile(r'\b(?:json|patchStrategy|patchMergeKey):"[^"]*"')
_UNNAMED = re.compile(r"^const _ = .*\n+", re.MULTILINE)
_METHODS = ("MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText")
#: Placeholder for a separate comment without markers: a comment above it does not belong to the declaration below.
_ALONE = "//"
_DECLARING = ("type_declaration", "const_declaration")


def facts(directory: Path, path: str) -> str:
    """Returns the facts of one package, from the directory with its sources."""
    diagnostics = Diagnostics()
    source = read_directory(directory, path, MODULE, diagnostics, cwd=directory)
    if source is None or diagnostics.items:
        raise ValueError(f"{directory} holds no package that can be read")
    imports: dict[str, str] = {}
    marks: list[str] = []
    body = ""
    for file in source.files:
        if file.name == "doc.go":
            marks = [line.text.strip() for line in Comments(file.name, file.text).all_lines()]
        elif not file.declares_nothing:
            tree = SyntaxTree(file.display, file.text)
            imports |= _imports(tree)
            body += "".join(f"{line}\n" for line in _declarations(tree, file)).strip("\n") + "\n\n"
    body = _UNNAMED.sub("", body)
    used = sorted(f'import {name} "{path}"' for name, path in imports.items() if re.search(rf"\b{name}\.", body))
    kept = (f"// {mark}" for mark in marks if MARKER.match(mark))
    return "\n".join((_HEAD, *kept, f"package {source.name}", "", *used, "", body.strip("\n"), ""))


def merge_releases(texts: Mapping[str, str]) -> str:
    """Returns the facts of several releases as one text, from the facts of each."""
    merged: list[tuple[str, tuple[str, ...]]] = []
    for release, text in texts.items():
        lines, found = text.split("\n"), []
        matcher = SequenceMatcher(None, [line for line, _ in merged], lines, autojunk=False)
        for kind, start, end, first, last in matcher.get_opcodes():
            if kind == "equal":
                found += [(line, (*releases, release)) for line, releases in merged[start:end]]
            else:
                found += [*merged[start:end], *((line, (release,)) for line in lines[first:last])]
        merged = found
    written: list[str] = []
    current = every = tuple(texts)
    for line, releases in merged:
        if releases != current:
            written.append(" ".join([RELEASE_LINE, *(releases if releases != every else ())]))
            current = releases
        written.append(line)
    return "\n".join(written)


def _imports(tree: SyntaxTree) -> dict[str, str]:
    """Returns import paths by the names that the file gives them, or else by their last elements."""
    found: dict[str, str] = {}
    stack = [node for node in tree.declarations() if node.type == "import_declaration"]
    while stack:
        node = stack.pop()
        stack += node.named_children
        target = node.child_by_field_name("path") if node.type == "import_spec" else None
        if target is not None:
            path = string_value(tree.text(target)) or ""
            name = node.child_by_field_name("name")
            found[tree.text(name) if name is not None else path.rpartition("/")[2]] = path
    return found


def _declarations(tree: SyntaxTree, file: GoFile) -> Iterator[str]:
    """Yields the lines of types and constants. A blank line only separates a comment from the next declaration."""
    code, marks = _split(file)
    methods: list[str] = []
    within: set[int] = set()
    for node in tree.declarations():
        rows = range(node.start_point.row, node.end_point.row + 1)
        if node.type in _DECLARING:
            within.update(rows)
        elif node.type != "comment":
            methods += _method(tree, node)
            for row in rows:
                code[row] = ""
                marks.pop(row, None)
    previous = ""
    marked = False
    for row, line in enumerate(code):
        shown = marks.get(row) or _squeezed(line)
        if shown == _ALONE and not marked:
            continue
        if shown:
            yield shown
            marked = row in marks
        elif row in marks or not previous or (row in within and not marked):
            continue
        else:
            yield ""
        previous = shown
    yield from methods


def _split(file: GoFile) -> tuple[list[str], dict[int, str]]:
    """Returns the lines of code, and by row the kept parts of comments: markers, and placeholders."""
    comments = Comments(file.display, file.text)
    code = list(file.text)
    marks: dict[int, str] = {}
    rows = file.text.split("\n")
    for group in comments.groups:
        lines = [line for line in comments.lines(group) if not line.behind]
        found = {line.span.line - 1: f"// {line.text.strip()}" for line in lines if MARKER.match(line.text.strip())}
        below = rows[group.last_line : group.last_line + 1]
        if not found and lines and below and not below[0].strip():
            found = {group.last_line - 1: _ALONE}
        for row in range(group.first_line - 1, group.last_line):
            marks[row] = ""
        marks |= found
        for start, end in group.pieces:
            code[start:end] = re.sub(r"[^\n]", " ", file.text[start:end])
    return "".join(code).split("\n"), marks


def _method(tree: SyntaxTree, node: Node) -> Iterator[str]:
    """Yields a method that customizes the JSON form of a type, without its body."""
    name, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
    if name is not None and receiver is not None and tree.text(name) in _METHODS:
        yield f"func {tree.text(receiver)} {tree.text(name)}()"


def _squeezed(line: str) -> str:
    """Joins words with one blank, and keeps only the JSON part of a struct tag."""
    tag = _TAG.search(line)
    pairs = " ".join(_PAIR.findall(tag[0])) if tag else ""
    words = _QUOTED.sub(lambda match: match[1] or " ", line[: tag.start()] if tag else line).strip()
    return f"{words} `{pairs}`" if pairs else words
