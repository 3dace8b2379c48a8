"""Comments of the model as lines of text, and the layout of packages: their selection and their directories."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from validation_gen.diagnostics import BUNDLED
from validation_gen.diagnostics.visible import has_hidden, visible
from validation_gen.sources.languages import PYTHON, Language, find_language
from validation_gen.sources.model import Named, Package, Struct, TypeExpr, Universe, inner_types
from validation_gen.tags.model import CommentLine
from validation_gen.types.meta import GO_TYPES
from validation_gen.types.naming import file_word

_PROSE = re.compile(r"| ?(?![-*#\[•]|\d+[.)])\S.*")
_TAG = re.compile(r"[ \t]*\+(?:k8s|kubebuilder):")
_ENDS_LINE = re.compile("[\0-\x08\n-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SEEN = "\t\u200c\u200d"
_LICENSE = ("copyright", "licensed under", "spdx-license-identifier")


def is_tag(line: CommentLine) -> bool:
    return line.text.lstrip(" \t").startswith("+")


def comment(marker: str, lines: Iterable[CommentLine]) -> list[str]:
    """Returns the lines of a comment, with a blank behind the marker as formatters of both languages need it.

    Invisible characters become escapes, except in tags: these have no escapes, and their values stay.
    """
    return [_line(marker, visible(line.text, keep=_kept_in(line))) for line in lines]


def find_hidden(lines: Iterable[CommentLine]) -> list[tuple[CommentLine, str]]:
    """Returns the tags with an invisible character, and its name."""
    return [
        (line, f"U+{ord(found[0]):04X}")
        for line in lines
        if _TAG.match(line.text) and (found := [c for c in line.text if has_hidden(c, keep=_SEEN)])
    ]


def _kept_in(line: CommentLine) -> str:
    if not _TAG.match(line.text):
        return "\t"
    return "".join({c for c in line.text if not _ENDS_LINE.match(c)} | {"\t"})


def _line(marker: str, text: str) -> str:
    text = text.rstrip()
    if marker == "//" and text.startswith(" \t"):  # in Go a tab alone starts a code block
        text = text[1:]
    if marker == "#" and text.lstrip().startswith("type:"):  # which black takes for a type comment
        text = text.lstrip()
    blank = text.startswith(" ") or (marker == "//" and text.startswith("\t"))
    return f"{marker}{text}" if blank or not text else f"{marker} {text}"


def groups(lines: Sequence[CommentLine]) -> list[list[CommentLine]]:
    """Returns the comment blocks of lines: a block ends where the source has other lines in between."""
    found: list[list[CommentLine]] = []
    for line in lines:
        last = found[-1][-1].span if found else None
        if last is not None and (last.file, last.line + 1) == (line.span.file, line.span.line):
            found[-1].append(line)
        else:
            found.append([line])
    return [trimmed for group in found if (trimmed := _trim(group))]


def _trim(lines: list[CommentLine]) -> list[CommentLine]:
    """Returns a block without empty lines at its beginning and end."""
    start, end = 0, len(lines)
    while start < end and not lines[start].text.strip():
        start += 1
    while end > start and not lines[end - 1].text.strip():
        end -= 1
    return lines[start:end]


def is_prose(group: Sequence[CommentLine]) -> bool:
    """Returns whether a block is plain text with at most tags, so that gofmt does not reformat it: no list, no code."""
    return all(_PROSE.fullmatch(line.text) for line in group) and not is_license(group)


def is_license(group: Sequence[CommentLine]) -> bool:
    return any(word in line.text.lower() for line in group for word in _LICENSE)


#: The name in `validation_gen.types.meta` of a type of Kubernetes, by import path and name in Go.
META_NAMES: dict[tuple[str, str], str] = {go: name for name, go in GO_TYPES.items()}


def find_named_types(type: TypeExpr) -> Iterator[Named]:
    """Yields all references in a type expression."""
    if isinstance(type, Named):
        yield type
    inner = [field.type for field in type.fields] if isinstance(type, Struct) else inner_types(type)
    for each in inner:
        yield from find_named_types(each)


def source_language(package: Package) -> Language | None:
    """Returns the language of a package's source, by the names of its files; `None` for an empty one."""
    spans = [*(t.span for t in package.types.values()), *(c.span for c in package.constants)]
    spans += [line.span for line in package.comments]
    return next((find_language(span.file) for span in spans), None)


def choose_packages(universe: Universe, language: Language, readonly: Collection[str]) -> list[Package]:
    """Returns the packages to convert: the inputs, and all references without another source.

    Types in `validation_gen.types.meta` are available in Python; in Go every type of Kubernetes can be imported.
    """
    chosen = {p.path: p for p in universe.inputs if source_language(p) not in (language, None)}
    waiting = list(chosen.values())
    while waiting:
        for declaration in waiting.pop().types.values():
            for reference in find_named_types(declaration.type):
                if reference.package in chosen or (reference.package, reference.name) in META_NAMES:
                    continue
                package = universe.package(reference.package)
                if package is not None and is_convertible(package, language, readonly):
                    chosen[package.path] = package
                    waiting.append(package)
    return [chosen[path] for path in sorted(chosen)]


def is_convertible(package: Package, language: Language, readonly: Collection[str]) -> bool:
    """Returns whether a reached package is converted too. Well-known ones are only available as sketches."""
    return (
        source_language(package) not in (language, None)
        and not package.directory.startswith(BUNDLED)
        and not _is_readonly(package.path, readonly)
    )


def _is_readonly(path: str, patterns: Collection[str]) -> bool:
    trees = {pattern.removesuffix("/...") for pattern in patterns if pattern.endswith("/...")}
    return path in {*patterns, *trees} or any(path.startswith(f"{tree}/") for tree in trees)


class Layout:
    """Directories of packages below the output directory.

    Packages of the converted module have the same paths as below their go.mod. When there are several modules, and for
    packages of others, the whole import path is used.
    """

    def __init__(self, packages: Sequence[Package], modules: Collection[str], readonly: Collection[str] = ()) -> None:
        self._main = next(iter(modules)) if len(modules) == 1 else ""
        self._paths = {package.path for package in packages}
        self._readonly = readonly
        self._modules = {self.module_parts(package) for package in packages}
        self._directories = {parts[:depth] for parts in self._modules for depth in range(len(parts))}

    def has(self, path: str) -> bool:
        """Returns whether a package is available: converted now, or a `readonly` one that was converted before."""
        return path in self._paths or _is_readonly(path, self._readonly)

    def place(self, package: Package) -> tuple[str, ...]:
        """Returns the directory of a Go package."""
        path = package.path
        if self._main and package.module == self._main:
            path = path.removeprefix(self._main)
        return tuple(part for part in path.split("/") if part not in ("", "."))

    def module_parts(self, package: Package) -> tuple[str, ...]:
        """Returns the dotted name of a Python module, in parts; empty for the package of the directory itself."""
        return tuple(map(_module_name, self.place(package)))

    def is_directory(self, parts: tuple[str, ...]) -> bool:
        """Returns whether a module has others below it, so that it must be an `__init__.py`."""
        return not parts or parts in self._directories

    def file(self, package: Package) -> str:
        parts = self.module_parts(package)
        inside = [*parts, "__init__"] if self.is_directory(parts) else [*parts]
        return "/".join(inside) + PYTHON.suffix

    def missing_packages(self) -> list[str]:
        """Returns the `__init__.py` of all directories that hold modules."""
        return ["/".join([*parts, "__init__.py"]) for parts in sorted(self._directories)]

    def relative(self, here: Package, there: Package) -> str:
        """Returns the text behind `from` to import from another module of the layout."""
        own, target = self.module_parts(here), self.module_parts(there)
        container = own if self.is_directory(own) else own[:-1]
        shared = 0
        while shared < min(len(container), len(target)) and container[shared] == target[shared]:
            shared += 1
        return "." * (len(container) - shared + 1) + ".".join(target[shared:])


def _module_name(part: str) -> str:
    name = re.sub(r"\W", "_", part)
    return f"_{name}" if name[:1].isdigit() else f"{name}_" if keyword.iskeyword(name) else file_word(name)
