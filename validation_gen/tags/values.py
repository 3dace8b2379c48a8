"""Base of tags as values in `Annotated[…]`: each writes itself as a comment.

The classes of the tags are in `validation_gen.tags`, generated from the catalogue. Programs import them at run time, so
nothing here needs more than Python: a value is neither parsed nor checked against its rule. The reader of the source
does that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple, NoReturn

from validation_gen.types.naming import json_name

_ARGUMENT_NAME = re.compile(r"[^\W\d][\w.-]*")
#: A tag is one line of a source file in UTF-8, for any reader's definition of a line end.
_NOT_IN_A_LINE = re.compile("[\0\n\v\f\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")
_KINDS = {"string": "a string", "int": "an int", "bool": "a bool", "raw": "a string, an int or a bool", "tag": "a tag"}


class Form(NamedTuple):
    """Syntax of a tag: the kinds of its parts, `""` for a part that it does not have.

    The kinds are the words of the catalogue: `string`, `int`, `bool`, `tag`, and `raw` for every scalar. `named` has
    them by parameter (`member_name`), `keys` is the kind of arguments whose names the user chooses.
    """

    tag: str
    argument: str = ""
    payload: str = ""
    payload_required: bool = True
    named: Mapping[str, str] = {}
    keys: str = ""


class TagValue:
    """A tag as a value: `str(MaxLength(64))` is the comment `+k8s:maxLength=64`.

    Values are immutable, and equal when they are the same tag. Every tag is a class of its own; this is their base.

    Raises:
        TypeError: an argument has the wrong type for the tag.
        ValueError: it has the right type, but no comment can contain it: a line break, a number beyond 64 bits.
    """

    form: ClassVar[Form]
    _text: str
    _values: tuple[object, ...]
    _named: dict[str, object]

    def __init__(self, *values: object, **named: object) -> None:
        if type(self) is TagValue:
            raise TypeError("TagValue is what tags have in common, not a tag")
        # A tag without arguments may be chained as its class. Optional arguments that are left out come as `None`.
        values = tuple(v() if isinstance(v, type) and issubclass(v, TagValue) else v for v in values)
        named = {name: value for name, value in named.items() if value is not None or name not in self.form.named}
        vars(self).update(_text=self._write(list(values), named), _values=values, _named=named)

    def _write(self, values: list[object], named: dict[str, object]) -> str:
        form = self.form
        if not bool(form.payload) <= len(values) <= bool(form.payload) + bool(form.argument):
            raise TypeError(f"{self._name}: {len(values)} positional arguments are not what the tag takes")
        payload = values.pop() if form.payload else None
        arguments = [self._scalar("argument", form.argument, value) for value in values]
        for name, value in named.items():
            written = self._scalar(name, form.named.get(name, form.keys), value)
            arguments.append(f"{self._argument_name(name)}: {written}")
        if values and named:
            raise TypeError(f"{self._name}: a positional argument and named ones cannot be mixed")
        text = f"+{form.tag}({', '.join(arguments)})" if arguments else f"+{form.tag}"
        if payload is None and not form.payload_required:
            return text
        if form.payload == "tag":
            if not isinstance(payload, TagValue):
                raise self._make_type_error("tag", "tag", payload)
            return f"{text}={payload}"
        return f"{text}={self._scalar('value', form.payload, payload)}" if form.payload else text

    def _argument_name(self, name: str) -> str:
        written = json_name(name)
        if not _ARGUMENT_NAME.fullmatch(written):
            raise ValueError(f"{self._name}: {name!r} cannot be the name of an argument")
        return written

    def _scalar(self, parameter: str, kind: str, value: object) -> str:
        if kind in ("bool", "raw") and isinstance(value, bool):
            return "true" if value else "false"
        if kind in ("int", "raw") and isinstance(value, int) and not isinstance(value, bool):
            if not -(2**63) <= value < 2**63:
                raise ValueError(f"{self._name}: {parameter} does not fit into 64 bits")
            return str(int(value))
        if kind in ("string", "raw") and isinstance(value, str):
            return self._quote(parameter, str.__str__(value))  # a member of a string enum counts as its value
        raise self._make_type_error(parameter, kind, value)

    def _quote(self, parameter: str, value: str) -> str:
        if _NOT_IN_A_LINE.search(value):
            raise ValueError(f"{self._name}: {parameter} cannot stand on one line of a file: {value!r}")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'

    def _make_type_error(self, parameter: str, kind: str, value: object) -> TypeError:
        return TypeError(f"{self._name}: {parameter} must be {_KINDS[kind]}, not {value!r}")

    @property
    def _name(self) -> str:
        return type(self).__name__

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        values = [repr(value) for value in self._values if value is not None]
        return f"{self._name}({', '.join([*values, *(f'{name}={value!r}' for name, value in self._named.items())])})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, TagValue) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self._name} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self._name} cannot be changed")
