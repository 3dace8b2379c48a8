"""Copies the runtime that a generated package needs into it, so that the package needs nothing but Python.

The modules to copy are those that the package imports, those that these import, and so on, by their sources. Not copied
are native code, modules for type checkers, and modules that need another distribution. The parser of CEL expressions is
one of these: the schemas in generated packages hold expressions that are already parsed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from types import MappingProxyType

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.text import render_template

#: Directory of the copies, below that of the package.
DIRECTORY = "_vendored"
_PACKAGE = "validation_gen"
#: Names in conditions whose bodies are for type checkers or for native code.
_NOT_FOLLOWED = frozenset({"TYPE_CHECKING", "accept"})
#: The module that loads native code, and its replacement.
_NATIVE = f"{_PACKAGE}.runtime.native"
_WITHOUT_NATIVE = '''"""Native code is not copied."""

accept = None
told = "in pure Python, as the runtime is a copy"
'''
_NO_CUSTOMS: Mapping[str, tuple[str, str]] = MappingProxyType({})
#: A text that names a module of ours, as `importlib.import_module` takes it.
_MODULE_NAME = re.compile(rf"{_PACKAGE}(\.\w+)+")
#: The argument of a registry that names a module.
_METADATA = re.compile(rf'(?<=    metadata="){_PACKAGE}\.([\w.]+)(?=")')


@dataclass(frozen=True, slots=True)
class _Import:
    """An import. `names` is empty for `import module`.

    `is_followed` is False in the body of a condition for type checkers or native code.
    """

    node: ast.Import | ast.ImportFrom
    module: str
    names: tuple[str, ...]
    is_followed: bool

    @property
    def is_ours(self) -> bool:
        return self.module.partition(".")[0] == _PACKAGE

    @property
    def modules(self) -> Iterator[str]:
        """Yields the imported modules of this program. A package is among them if one of its own names is imported."""
        if self.is_ours:
            below = [f"{self.module}.{name}" for name in self.names]
            found = [name for name in below if _find_file(name) is not None]
            yield from found
            if not below or len(found) < len(below):
                yield self.module


def vendor_runtime(
    files: Mapping[str, str], diagnostics: Diagnostics, customs: Mapping[str, tuple[str, str]] = _NO_CUSTOMS
) -> dict[str, str]:
    """Returns the files of a generated package with copies of the runtime, whose imports name these copies.

    Args:
        files: text by path.
        diagnostics: takes an error for each import that cannot be copied, and for each text in handwritten checks that
            names a module of ours. Only handwritten checks have such imports.
        customs: the path and the text of each file of handwritten checks, by its path in the package.
    """
    found = dict(files)
    needed: set[str] = set()
    for name, text in files.items():
        if name.endswith(".py"):
            _report_missing(*customs.get(name, (name, text)), diagnostics)
            if name in customs:
                _report_names_in_texts(*customs[name], diagnostics)
            imports = _find_imports(text)
            needed |= {module for each in imports for module in each.modules}
            needed |= {f"{_PACKAGE}.{match[1]}" for match in _METADATA.finditer(text)}
            changed = _with_copies(text, imports, f"{'.' * (name.count('/') + 1)}{DIRECTORY}")
            found[name] = _METADATA.sub(rf".{DIRECTORY}.\1", changed)
    copies = dict(map(_copy, _find_reachable(needed)))
    for name in list(copies):
        parents = name.split("/")[:-1]
        for depth in range(1, len(parents) + 1):
            empty = "/".join([*parents[:depth], "__init__.py"])
            if empty not in copies:
                copies[empty] = render_template("python/empty.py.j2")
    return dict(sorted((found | copies).items()))


def _report_missing(path: str, text: str, diagnostics: Diagnostics) -> None:
    """Reports the imports of modules that cannot be copied."""
    found = {
        (each.node.lineno, each.node.col_offset + 1, module) for each in _find_imports(text) for module in each.modules
    }
    for line, column, module in sorted(found):
        if reason := _problem_with(module):
            message = f"the copy of the runtime has no {module}: {reason}"
            help = f"import what {_PACKAGE}.runtime has, or generate with --runtime package"
            diagnostics.error("VG206", message, Span(Path(path).as_posix(), line, column), help)


def _report_names_in_texts(path: str, text: str, diagnostics: Diagnostics) -> None:
    """Reports string literals that name a module of this program: only names in import statements are rewritten."""
    waiting: list[ast.AST] = [ast.parse(text)]
    found: set[tuple[int, int, str]] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _MODULE_NAME.fullmatch(node.value):
            found.add((node.lineno, node.col_offset + 1, node.value))
        waiting += ast.iter_child_nodes(node)
    for line, column, name in sorted(found):
        message = f"the copy of the runtime is not found as {name}: a name in a text is not changed as imports are"
        help = "import it with an import statement, or generate with --runtime package"
        diagnostics.error("VG206", message, Span(Path(path).as_posix(), line, column), help)


def _find_reachable(modules: Iterable[str]) -> set[str]:
    """Returns the modules to copy: `modules`, and those that they import, if they can be copied."""
    waiting, found = list(modules), set[str]()
    while waiting:
        module = waiting.pop()
        if module not in found and not _problem_with(module):
            found.add(module)
            waiting += [name for each in _read_imports(module) if each.is_followed for name in each.modules]
    return found


@cache
def _problem_with(module: str) -> str:
    """Returns why a module cannot be copied, `""` if it can."""
    if _find_file(module) is None:
        return "there is no such module"
    for each in _read_imports(module):
        first = each.module.partition(".")[0]
        if each.is_followed and not each.is_ours and first not in sys.stdlib_module_names:
            return f"it needs {first}"
    return ""


@cache
def _copy(module: str) -> tuple[str, str]:
    """Returns the path of a copy and its text."""
    file = _find_file(module)
    assert file is not None
    name, _ = file
    version = metadata.version("validation-gen")
    text = _with_copies(_read_source(module), _read_imports(module), "." * (name.count("/") + 1))
    return f"{DIRECTORY}/{name}", render_template("python/copy.py.j2", version=version, text=text)


# --- sources --------------------------------------------------------------------------------------------------------


@cache
def _find_file(module: str) -> tuple[str, str] | None:
    """Returns the path of a module below our package, and its text; `None` if there is no such module."""
    path = "/".join(module.split(".")[1:])
    for name in (f"{path}/__init__.py".lstrip("/"), f"{path}.py"):
        try:
            return name, resources.files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            continue
    return None


def _read_source(module: str) -> str:
    file = _find_file(module)
    return _WITHOUT_NATIVE if module == _NATIVE else "" if file is None else file[1]


@cache
def _read_imports(module: str) -> list[_Import]:
    return _find_imports(_read_source(module))


def _find_imports(text: str) -> list[_Import]:
    """Returns the imports of a text, in functions, too; not those by a relative name."""
    found = []
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(text), True)]
    while waiting:
        node, is_followed = waiting.pop()
        if isinstance(node, ast.Import):
            found += [_Import(node, alias.name, (), is_followed) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if not node.level and node.module:
                found.append(_Import(node, node.module, tuple(alias.name for alias in node.names), is_followed))
        elif isinstance(node, ast.If) and _NOT_FOLLOWED & set(_names_in(node.test)):
            waiting += [(each, False) for each in node.body] + [(each, is_followed) for each in node.orelse]
        else:
            waiting += [(each, is_followed) for each in ast.iter_child_nodes(node)]
    return found


def _names_in(condition: ast.expr) -> Iterator[str]:
    for node in ast.walk(condition):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _with_copies(text: str, imports: Iterable[_Import], top: str) -> str:
    """Makes the imports of our modules in a text relative; `top` is the relative name of the copied package."""
    lines = text.split("\n")
    for node in {each.node: None for each in imports if each.is_ours}:
        at = node.lineno - 1
        head, tail = lines[at][: node.col_offset], lines[at][node.col_offset :]
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            lines[at] = head + re.sub(r"^from\s+[\w.]+", f"from {_relative(node.module, top)}", tail)
        else:
            lines[at] = "\n".join(f"{head}{statement}" for statement in _statements(node, top))
            lines[at + 1 : node.end_lineno] = [""] * ((node.end_lineno or 0) - node.lineno)
    return "\n".join(lines)


def _relative(module: str, top: str) -> str:
    rest = module.removeprefix(_PACKAGE)
    return f"{top}{rest}" if top.strip(".") else f"{top}{rest.removeprefix('.')}"


def _statements(node: ast.Import, top: str) -> Iterator[str]:
    """Yields the statements in place of `import module`."""
    for alias in node.names:
        above, _, name = _relative(alias.name, top).rpartition(".")
        if alias.name.partition(".")[0] != _PACKAGE:
            yield f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
        else:
            yield f"from {above or '.'} import {name} as {alias.asname or f'_vendored_{name}'}"
            if not alias.asname:
                yield f"from {top.removesuffix(DIRECTORY)} import {DIRECTORY} as {_PACKAGE}"
