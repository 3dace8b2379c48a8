"""The tables of Go tests as data: reads composite literals and evaluates what stands in them.

This is no Go. It knows expressions as tables have them, functions that a caller gives it in Python, and functions
whose body is but `:=` and a last `return`. Structs and maps are `dict`, slices are `list`, pointers are what they
point to. What it cannot read is `UnreadableError`.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Native = Callable[..., Any]

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<raw>`[^`]*`)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<rune>'(?:[^'\\\n]|\\.[^']*)')
      | (?P<number>0[xX][0-9a-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?)
      | (?P<name>[^\W\d]\w*)
      | (?P<sign>:=|\.\.\.|&&|\|\||<<|>>|==|!=|<=|>=|&\^|<-|\+=|-=|\+\+|--|[-+*/%&|^<>=!()\[\]{},;.:~])
    """,
    re.VERBOSE | re.DOTALL,
)


class UnreadableError(Exception):
    """Something that is no data."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnreadableError(text[at : at + 40])
        if match.lastgroup != "skip":
            found.append(Token(str(match.lastgroup), match.group()))
        at = match.end()
    return found


@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is list, map, struct, pointer, function or name."""

    kind: str
    name: str = ""
    element: Type | None = None
    fields: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function that the file declares: its parameters, and where its body begins."""

    parameters: tuple[str, ...]
    body: int


@dataclass(slots=True)
class Struct:
    """A composite literal of a named type that is not a list."""

    type: str
    fields: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


class _Opaque:
    """A value that cannot be known."""

    def __call__(self, *_: Any) -> _Opaque:
        return self

    def __getattr__(self, name: str) -> _Opaque:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


OPAQUE = _Opaque()


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a struct."""
    found: dict[str, Any] = value.fields if isinstance(value, Struct) else value
    return found


def is_known(value: Any) -> bool:
    """Whether nothing in a value is opaque."""
    if isinstance(value, dict | Struct):
        return all(map(is_known, fields_of(value).values()))
    return all(map(is_known, value)) if isinstance(value, list) else value is not OPAQUE


class GoFile:
    """A file, or several of one package, with the functions and names that Python gives beside what they declare."""

    def __init__(self, paths: Sequence[Path], natives: Mapping[str, Any], *, lenient: bool = False) -> None:
        """Args: lenient: unknown names are `OPAQUE`, so that the other cases of their table can be read."""
        self.lenient = lenient
        self.tokens = [token for path in paths for token in _tokens(path.read_text())]
        self.natives = natives
        self._functions = self._declared_functions()
        self._globals = self._declared_values()

    # --- what the file declares ---------------------------------------------------------------------------------------

    def _declared_functions(self) -> dict[str, Function]:
        found, depth = {}, 0
        for at, token in enumerate(self.tokens):
            depth += {"{": 1, "}": -1}.get(token.text, 0) if token.kind == "sign" else 0
            if not depth and token.text == "func" and self.tokens[at + 1].kind == "name":
                name = self.tokens[at + 1].text
                found[name] = self._function(at + 2)
        return found

    def _function(self, at: int) -> Function:
        """The function whose parameters begin here. Parameters and results have no braces but those of types."""
        names, pending, end = [], True, _closing(self.tokens, at)
        for place in range(at + 1, end):
            token = self.tokens[place]
            if token.text == ",":
                pending = True
            elif pending and token.kind == "name":
                names.append(token.text)
                pending = False
        at = end + 1
        while self.tokens[at].text != "{" or self.tokens[at - 1].text in ("interface", "struct"):
            at = _closing(self.tokens, at) + 1 if self.tokens[at].text in ("(", "{", "[") else at + 1
        return Function(tuple(names), at)

    def _declared_values(self) -> dict[str, int]:
        """Where the values of top-level `var` and `const` begin."""
        found, depth = {}, 0
        for at, token in enumerate(self.tokens[:-2]):
            if token.kind == "sign":
                depth += {"{": 1, "}": -1}.get(token.text, 0)
            if not depth and token.kind == "name" and self.tokens[at + 1].text == "=":
                found[token.text] = at + 2
        return found

    # --- tables -------------------------------------------------------------------------------------------------------

    def local(self, function: str, name: str) -> Any:
        """The value of a variable of a function."""
        scope = _Scope(self, self._functions[function].body)
        return scope.named(name)

    def value(self, name: str) -> Any:
        return _Scope(self, None).named(name)

    def calls(self, function: str, name: str) -> Iterator[list[Any]]:
        """The arguments of each call of a name within a function that can be read."""
        begin = self._functions[function].body
        scope = _Scope(self, begin)
        for at in range(begin, _closing(self.tokens, begin)):
            if self.tokens[at].text == name and self.tokens[at + 1].text == "(":
                try:
                    yield _Reader(scope, at + 1).arguments()
                except UnreadableError:
                    continue


def _closing(tokens: list[Token], at: int) -> int:
    """Where the bracket that opens here is closed."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place].kind == "sign":
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[place].text, 0)
            if not depth:
                return place
    raise UnreadableError("bracket")


class _Scope:
    """What names mean within a function: its variables, those of the file, and what Python gives."""

    def __init__(
        self,
        file: GoFile,
        begin: int | None,
        values: Mapping[str, Any] | None = None,
        outer: _Scope | None = None,
    ) -> None:
        self.file = file
        self._outer = outer
        self.values = dict(values or {})
        self._begin = begin

    def named(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        if name in self.file.natives:
            return self.file.natives[name]
        tokens = self.file.tokens
        if self._begin is not None:
            for at in range(self._begin, _closing(tokens, self._begin)):
                if tokens[at].text == name and tokens[at + 1].text in (":=", ","):
                    behind = [token.text for token in tokens[at + 1 : at + 4]]
                    if behind[0] == ":=" or behind == [",", "_", ":="]:
                        start = at + (2 if behind[0] == ":=" else 4)
                        self.values[name] = value = _Reader(self, start).expression()
                        return value
        if self._outer is not None:
            return self._outer.named(name)
        if name in self.file._globals:
            return _Reader(_Scope(self.file, None), self.file._globals[name]).expression()
        if name in self.file._functions:
            return self.caller(self.file._functions[name])
        if self.file.lenient:
            return OPAQUE
        raise UnreadableError(name)

    def caller(self, function: Function) -> Native:
        def call(*args: Any) -> Any:
            scope = _Scope(self.file, function.body, dict(zip(function.parameters, args, strict=False)), self)
            tokens, end = self.file.tokens, _closing(self.file.tokens, function.body)
            places = [at for at in range(function.body, end) if tokens[at].text == "return"]
            if len(places) != 1 or any(tokens[at].text in ("for", "if") for at in range(function.body, end)):
                raise UnreadableError("a function with statements")
            return _Reader(scope, places[0] + 1).expression()

        return call


_LEVELS: list[dict[str, Callable[[Any, Any], Any]]] = [
    {"||": lambda left, right: left or right},
    {"&&": lambda left, right: left and right},
    {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
    {"+": operator.add, "-": operator.sub, "|": operator.or_, "^": operator.xor},
    {
        "*": operator.mul,
        "/": lambda left, right: left // right if type(left) is type(right) is int else left / right,
        "%": operator.mod,
        "<<": operator.lshift,
        ">>": operator.rshift,
        "&": operator.and_,
    },
]
_CONSTANTS = {"true": True, "false": False, "nil": None}


_ESCAPE = re.compile(r"\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\\u.{4}|\\U.{8}|\\.|[^\\]+", re.DOTALL)


def _text(token: str) -> str:
    """The value of a text or a rune. Escapes of bytes are those of UTF-8, if they make any."""
    data = b""
    for part in _ESCAPE.findall(token[1:-1]):
        if part.startswith("\\x"):
            data += bytes([int(part[2:], 16)])
        elif part[0] == "\\" and part[1:].isdigit():
            data += bytes([int(part[1:], 8)])
        else:
            value = ast.literal_eval(f"'{part}'") if part[0] == "\\" else part
            data += value.encode("utf-8", "surrogatepass")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableError("a text that is not UTF-8") from None


class _Reader:
    def __init__(self, scope: _Scope, at: int) -> None:
        self._scope = scope
        self._tokens = scope.file.tokens
        self._at = at

    def _peek(self) -> str:
        token = self._tokens[self._at]
        return token.text if token.kind in ("sign", "name") else ""

    def _next(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _expect(self, text: str) -> None:
        if (found := self._next()).text != text:
            raise UnreadableError(f"{found.text} instead of {text}")

    def _skip(self, text: str) -> bool:
        if self._peek() == text:
            self._at += 1
            return True
        return False

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, level: int = 0) -> Any:
        if level == len(_LEVELS):
            return self._unary()
        left = self.expression(level + 1)
        while (sign := self._peek()) in _LEVELS[level]:
            self._at += 1
            left = _LEVELS[level][sign](left, self.expression(level + 1))
        return left

    def _unary(self) -> Any:
        if self._skip("-"):
            return -self._unary()
        if self._skip("+") or self._skip("&") or self._skip("*"):
            return self._unary()
        if self._skip("!"):
            return not self._unary()
        return self._links(self._primary())

    def _links(self, value: Any) -> Any:
        while True:
            if self._peek() == "(":
                args = self.arguments()
                if not callable(value):
                    raise UnreadableError(f"call of {value}")
                value = value(*args)
            elif self._skip("."):
                name = self._next().text
                value = value.get(name) if isinstance(value, dict) else getattr(value, name, None) or _part(value, name)
            elif self._peek() == "[":
                self._at += 1
                index = self.expression()
                self._expect("]")
                value = value[index]
            else:
                return value

    def arguments(self) -> list[Any]:
        self._expect("(")
        found: list[Any] = []
        while not self._skip(")"):
            value = self.expression()
            if self._skip("..."):
                found.extend(value)
            else:
                found.append(value)
            if self._peek() != ")":
                self._expect(",")
        return found

    def _primary(self) -> Any:
        token = self._tokens[self._at]
        match token.kind:
            case "raw":
                self._at += 1
                return token.text[1:-1]
            case "text":
                self._at += 1
                return _text(token.text)
            case "rune":
                self._at += 1
                return ord(_text(token.text))
            case "number":
                self._at += 1
                return ast.literal_eval(token.text.lstrip("0") or "0" if token.text.isdigit() else token.text)
        if self._skip("("):
            value = self.expression()
            self._expect(")")
            return value
        if token.text == "func":
            return self._function()
        if token.text in ("[", "map", "struct", "interface"):
            return self._of_type(self._type())
        return self._name()

    def _function(self) -> Any:
        function = self._scope.file._function(self._at + 1)
        self._at = _closing(self._tokens, function.body) + 1
        return self._scope.caller(function)

    def _name(self) -> Any:
        token = self._next()
        if token.kind != "name":
            raise UnreadableError(token.text)
        if token.text in _CONSTANTS:
            return _CONSTANTS[token.text]
        name = token.text
        if name not in self._scope.values and self._is_package(name):
            self._at += 1
            name = f"{name}.{self._next().text}"
        if self._peek() == "[" and name in _GENERIC:
            self._at = _closing(self._tokens, self._at) + 1
        if self._peek() == "{":
            return self._composite(Type("name", name))
        return self._scope.named(name)

    def _is_package(self, name: str) -> bool:
        if self._peek() != ".":
            return False
        whole = f"{name}.{self._tokens[self._at + 1].text}"
        if whole in self._scope.file.natives or self._tokens[self._at + 2].text == "{":
            return True
        return self._scope.file.lenient and name in _PACKAGES

    def _of_type(self, type: Type) -> Any:
        """What follows a type: a composite literal or a conversion."""
        if self._peek() == "{":
            return self._composite(type)
        if self._peek() == "(":
            (value,) = self.arguments()
            if type.kind == "list" and isinstance(value, str):
                return value.encode() if type.element and type.element.name == "byte" else [ord(each) for each in value]
            return value
        return type

    # --- types and composite literals ---------------------------------------------------------------------------------

    def _type(self) -> Type:
        if self._skip("*"):
            return Type("pointer", element=self._type())
        if self._skip("["):
            while not self._skip("]"):
                self._at += 1
            return Type("list", element=self._type())
        if self._skip("map"):
            self._at = _closing(self._tokens, self._at) + 1
            return Type("map", element=self._type())
        if self._skip("struct"):
            return self._struct()
        if self._skip("interface"):
            self._at = _closing(self._tokens, self._at) + 1
            return Type("name", "any")
        if self._skip("func"):
            self._at = _closing(self._tokens, self._at) + 1
            if self._peek() == "(":
                self._at = _closing(self._tokens, self._at) + 1
            elif self._peek() not in (",", ")", "}", "{"):
                self._type()
            return Type("function")
        name = self._next().text
        while self._skip("."):
            name += f".{self._next().text}"
        return Type("name", name)

    def _struct(self) -> Type:
        end = _closing(self._tokens, self._at)
        self._at += 1
        fields: list[tuple[str, Type]] = []
        while self._at < end:
            names = [self._next().text]
            while self._skip(","):
                names.append(self._next().text)
            type = self._type()
            fields += [(name, type) for name in names]
            self._skip(";")
        self._at = end + 1
        return Type("struct", fields=tuple(fields))

    def _composite(self, type: Type) -> Any:
        while type.kind == "pointer" and type.element:
            type = type.element
        self._expect("{")
        keys: list[Any] = []
        values: list[Any] = []
        types = dict(type.fields)
        while not self._skip("}"):
            key: Any = None
            element = type.element
            is_field = type.kind in ("name", "struct") and self._tokens[self._at].kind == "name"
            if is_field and self._tokens[self._at + 1].text == ":":
                key = self._next().text
                element = types.get(key)
                self._expect(":")
            elif type.kind == "struct" and len(values) < len(type.fields):
                key, element = type.fields[len(values)]
            value = self._element(element)
            if self._skip(":"):
                key = value
                value = self._element(type.element)
            keys.append(key)
            values.append(value)
            if self._peek() != "}":
                self._expect(",")
        if type.kind == "list" or (type.kind == "name" and values and keys[0] is None):
            return values
        found = dict(zip(keys, values, strict=True))
        return Struct(type.name, found) if type.kind == "name" else found

    def _element(self, type: Type | None) -> Any:
        if self._tokens[self._at + 1].text == "{":
            self._skip("&")
        if self._peek() == "{":
            return self._composite(type or Type("name", ""))
        return self.expression()


_PACKAGES = frozenset("types cel time math proto3pb strings fmt ext common checker reflect netip".split())
_GENERIC = frozenset(("ptr.To",))


def _part(value: Any, name: str) -> Any:
    if isinstance(value, Struct) and name in value.fields:
        return value.fields[name]
    raise UnreadableError(f".{name}")
