"""Text of generated files: Python in black's format, templates, and patches in unified form.

Formatting the output is never needed, as a test checks with black. Templates render the data of emitters and decide
nothing. `git apply` and `patch -p1` take the patches.
"""

from __future__ import annotations

import difflib
import functools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import validation_gen
from validation_gen.diagnostics.visible import one_line, visible

TYPE_CHECKING = False  # typing and pathlib are slow to import
if TYPE_CHECKING:
    from pathlib import Path

    import jinja2


WIDTH = 88
#: A call that is assigned or a condition, with the text before it.
_WRAPPED = re.compile(r"(\w+ = |if )((?:found := )?[\w.]+)")


def literal(value: object) -> str:
    """Returns a value as Python source in black's spelling: double quotes unless that means more escapes."""
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, tuple):
        inner = ", ".join(map(literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


# Names of fields occur a dozen times each. Subclasses of str with another rendering are cached separately.
@lru_cache(maxsize=8192, typed=True)
def _of_text(value: str) -> str:
    text = repr(value)
    if text[0] == "'" and value.count('"') <= value.count("'"):
        inner = text[1:-1].replace("\\'", "'").replace('"', '\\"')
        text = f'"{inner}"'
    return visible(text)  # fillers are printable to Python


def escape(text: str) -> str:
    """Escapes text from a source for a comment or docstring, so that it cannot end either."""
    return one_line(text).replace('"""', '\\"\\"\\"')


@dataclass(slots=True)
class Code:
    """Lines under construction, with the current indentation."""

    lines: list[str] = field(default_factory=list)
    depth: int = 0

    def comment(self, text: str) -> None:
        """Writes a comment line; the text may contain anything."""
        self.add(f"# {escape(text)}".rstrip())

    def add(self, text: str = "") -> None:
        self.lines.append(f"{'    ' * self.depth}{text}" if text else "")

    def call(self, head: str, args: Sequence[str], tail: str = "") -> None:
        """Writes `head(args)tail`, broken as by black if too long: all arguments on one line, or one line for each."""
        indent = "    " * self.depth
        line = f"{indent}{head}({', '.join(args)}){tail}"
        if len(line) <= WIDTH:
            self.lines.append(line)
            return
        found = _WRAPPED.fullmatch(head) if len(indent) + len(head) >= WIDTH else None
        longest = max(map(len, args), default=0)
        if found and len(indent) + max(4 + len(found[2]), len(found[1]), 8 + longest) < WIDTH:
            self._wrap(found[1], found[2], args, tail)
            return
        self.lines.append(f"{indent}{head}(")
        # black gives the only parameter of a function a comma.
        alone = head.startswith("def ") and len(args) == 1
        together = f"{indent}    {', '.join(args)}{',' if alone else ''}"
        if len(together) <= WIDTH:
            self.lines.append(together)
        else:
            with self.block():
                for arg in args:
                    self._argument(arg)
        self.lines.append(f"{indent}){tail}")

    def _wrap(self, head: str, function: str, args: Sequence[str], tail: str) -> None:
        """Writes a call after a long head as black does: in parentheses, on lines of its own."""
        self.add(f"{head}(")
        with self.block():
            self.call(function, args)
        self.add(f"){tail}")

    def _argument(self, text: str) -> None:
        """Writes an argument on its own line; splits a call that is too long for it."""
        function, parenthesis, rest = text.partition("(")
        if len(text) + 1 + 4 * self.depth > WIDTH and parenthesis and function.replace(".", "").isidentifier():
            self.call(function, [rest[:-1]], ",")
        else:
            self.add(f"{text},")

    def expression(self, head: str, text: str, tail: str = "") -> None:
        """Writes `head text tail`, where the text is a name or a call whose only argument may be another call."""
        function, parenthesis, rest = text.partition("(")
        if parenthesis and rest.endswith(")"):
            self.call(f"{head}{function}", [rest[:-1]], tail)
        else:
            self.add(f"{head}{text}{tail}")

    def tuple(self, head: str, elements: Sequence[str], tail: str = "") -> None:
        """Writes `head(elements)tail`, one element a line if it is too long."""
        comma = "," if len(elements) == 1 else ""
        line = f"{'    ' * self.depth}{head}({', '.join(elements)}{comma}){tail}"
        if len(line) <= WIDTH:
            self.lines.append(line)
            return
        self.add(f"{head}(")
        with self.block():
            for element in elements:
                self.add(f"{element},")
        self.add(f"){tail}")

    def alternatives(self, name: str, conditions: Sequence[str]) -> None:
        """Writes `name = a or b or c`, in several steps if it is too long."""
        together = f"{name} = {' or '.join(conditions)}"
        if self.fits(together):
            self.add(together)
            return
        self.add(f"{name} = {conditions[0]}")
        for condition in conditions[1:]:
            if self.fits(f"{name} = {name} or {condition}"):
                self.add(f"{name} = {name} or {condition}")
            else:
                with self.block(f"if not {name}:"):
                    self._comparison(name, condition)

    def _comparison(self, name: str, condition: str) -> None:
        """Writes `name = call(…) != …`, in two steps if it is too long."""
        call, unequal, other = condition.partition(" != ")
        if unequal and not self.fits(f"{name} = {condition}"):
            self.expression(f"{name} = ", call)
            condition = f"{name} != {other}"
        self.add(f"{name} = {condition}")

    def condition(self, text: str) -> None:
        """Writes `if text:`. A call at the end, or alternatives, are broken into lines if it is too long."""
        joint = " or " if " or " in text else " and "
        joints = text.count(joint)
        head, parenthesis, arguments = text[:-1].rpartition("(") if text.endswith(")") else (text, "", "")
        if self.fits(f"if {text}:"):
            self.add(f"if {text}:")
        elif parenthesis and (not joints or (joints < 2 and self.fits(f"    {head}("))):
            self.call(f"if {head}", [arguments], ":")
        else:
            first, *others = text.split(joint)
            self.add("if (")
            with self.block():
                for part in (first, *(f"{joint[1:]}{other}" for other in others)):
                    self.expression("", part)
            self.add("):")

    def fits(self, line: str) -> bool:
        """Returns whether a line is short enough here."""
        return 4 * self.depth + len(line) <= WIDTH

    def assign(self, target: str, value: str) -> None:
        """Writes `target = value`, with the value in parentheses on its own line if it is too long."""
        if self.fits(f"{target} = {value}"):
            self.add(f"{target} = {value}")
            return
        self.add(f"{target} = (")
        with self.block():
            self.add(value)
        self.add(")")

    def block(self, opening: str = "") -> _Block:
        if opening:
            self.add(opening)
        return _Block(self)


class _Block:
    """Indents the lines that are added within.

    It is a class because there are tens of thousands of blocks, and a generator is four times slower.
    """

    __slots__ = ("_code",)

    def __init__(self, code: Code) -> None:
        self._code = code

    def __enter__(self) -> None:
        self._code.depth += 1

    def __exit__(self, *_: object) -> None:
        self._code.depth -= 1


def directory() -> Path:
    """`templates/`: inside the package when installed, at the top of the repository in a checkout."""
    from pathlib import Path  # noqa: PLC0415

    return Path(place())


def place() -> str:
    """Returns the path of the directory."""
    package = os.path.dirname(validation_gen.__file__)  # noqa: PTH120
    installed = os.path.join(package, "templates")  # noqa: PTH118
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), "templates")  # noqa: PTH112, PTH118, PTH120


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - a slow import that only generation needs

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(directory()),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - the output is Python, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render_template(name: str, **values: object) -> str:
    """Returns the text of a template with the given values."""
    return _environment().get_template(name).render(values)


_NO_END = "\\ No newline at end of file\n"


def make_unified_diff(path: str, before: str | None, after: str | None) -> str:
    """Makes the patch from one text to another; `None` is a file that does not exist. `""` if nothing differs."""
    if before == after:
        return ""
    # Absolute paths and those that lead upwards stay unchanged: a prefix would make other paths of them.
    plain = path.startswith(("/", "../"))
    old = "/dev/null" if before is None else path if plain else f"a/{path}"
    new = "/dev/null" if after is None else path if plain else f"b/{path}"
    head = "" if plain else _git_head(path, before, after)
    lines = list(difflib.unified_diff(_lines(before), _lines(after), old, new))
    return head + "".join(_terminate_lines(lines))


def first_difference(before: str, after: str) -> int:
    """Returns the number of the first line that is not the same in both, counted from 1."""
    pairs = zip(_lines(before), _lines(after), strict=False)
    same = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    return (min(len(_lines(before)), len(_lines(after))) if same is None else same) + 1


def _git_head(path: str, before: str | None, after: str | None) -> str:
    """Returns the lines by which git recognises a new or deleted file."""
    if before is not None and after is not None:
        return ""
    what = "new" if before is None else "deleted"
    return f"diff --git a/{path} b/{path}\n{what} file mode 100644\n"


def _lines(text: str | None) -> list[str]:
    """Splits a text into lines at line feeds only; `splitlines` splits at other characters, too."""
    lines = [f"{line}\n" for line in (text or "").split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _terminate_lines(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n{_NO_END}"
