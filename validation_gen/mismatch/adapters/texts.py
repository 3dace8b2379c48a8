"""Errors as text: as Kubernetes prints them, one or many, in any words, or as messages by field.

Sources of the notation: `Error.Error` of `k8s.io/apimachinery/pkg/util/validation/field`, `NewInvalid` of
`k8s.io/apimachinery/pkg/api/errors`, `NewAggregate` of `k8s.io/apimachinery/pkg/util/errors`. Nothing here raises.

Form libraries collect messages by field: marshmallow, Django REST framework, voluptuous, hand-made dicts. An example:
`{"spec": {"ports": {0: {"name": ["Not a valid string."]}}}, "spec.replicas": "must be positive"}`. A form that is none
of these is a mistake of the handwritten function, not of the object that it validates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.mismatch.adapters.codes import (
    FORBIDDEN,
    MAXIMUM,
    MINIMUM,
    UNKNOWN,
    VOLUPTUOUS,
    ErrorMapping,
    find_message,
)
from validation_gen.mismatch.adapters.subject import PATH, Element, Subject, parse_elements
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.shapes import MapOf, Pointer, Shape

_TYPES = {type.label: type for type in reversed(ErrorType)}
_VALUELESS = frozenset(
    {ErrorType.REQUIRED, ErrorType.FORBIDDEN, ErrorType.TOO_LONG, ErrorType.TOO_SHORT, ErrorType.INTERNAL}
)
_LABEL = rf"(?P<label>{'|'.join(_TYPES)})(?=: |[,;:]?\s|[\],;:]?$)(?P<more>: )?"
_HEAD = re.compile(rf"(?P<field>{PATH}): {_LABEL}", re.ASCII)
_BODY = re.compile(_LABEL)
#: Separator of two errors, only before another one.
_NEXT = re.compile(rf"(?:[,;]\s+|\s*\n\s*(?:[*-]\s+)?)(?={PATH}: (?:{'|'.join(_TYPES)}))", re.ASCII)
_FIRST = re.compile(rf"(?:\A|\s)(?:[*-]\s+)?\[?(?={PATH}: (?:{'|'.join(_TYPES)}))", re.ASCII)
_WRAPPING = re.compile(
    r'(?:Error from server[^:\n]*: )?(?:error when [^":\n]*"[^"\n]*": )?'
    r'(?:admission webhook "[^"\n]*" denied the request: )?(?:(?:The )?[\w./-]+ "[^"\n]*" is invalid:\s+)?'
)
_PLACED = re.compile(rf"(?P<field>{PATH}): (?P<detail>\S.*)", re.ASCII | re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|.)", re.DOTALL)
_SHORT = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WRONG_TYPE = re.compile(r"(?:[^\s]+ in body )?must be (?:of type |an? [a-z ]+, not )")
_LONGEST = 1 << 16
#: Long runs of space. The expressions here try each way to divide them, so they are shortened before.
_GAP = re.compile(r"\s{5,}")


def _readable(text: str) -> str:
    """Returns the beginning of a text up to the length limit, with long runs of blanks shortened."""
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", text[:_LONGEST])


def errors_in(text: str, subject: Subject) -> list[FieldError]:
    """Returns the errors of a text, at least one.

    A text in another notation than Kubernetes' becomes one error with a message only, and a path if the text begins
    with a path of the object.
    """
    text = _readable(text.strip())
    wrapping = _WRAPPING.match(text)
    inner = text[wrapping.end() if wrapping else 0 :].lstrip("* \n\t")
    start = _FIRST.search(inner)
    if start is None:
        return [_parse_located(inner, subject) or _parse_located(text, subject) or _only_message(text, subject)]
    before, body = inner[: start.start()].strip(), inner[start.end() :]
    if inner.startswith("["):
        before, body = before.removeprefix("["), body.removesuffix("]")
    # Text before the first error that does not introduce it is a separate error.
    is_error = before.endswith((",", ";")) or (before and "\n" in start[0] and not before.endswith(":"))
    return [*([_only_message(before.rstrip(",;"), subject)] if is_error else ()), *_parse(body, subject)]


def error_at(elements: list[Element] | None, text: str, subject: Subject, code: ErrorMapping = UNKNOWN) -> FieldError:
    """Returns the error of a message with a known path. A message in the form of Kubernetes contains its type."""
    text = _readable(text)
    body = _BODY.match(text)
    if body is None:
        head = _HEAD.match(text)
        if head is None:
            return subject.error(elements, code, subject.value(elements) if elements is not None else "", text)
        body = head
    type, bad_value, detail, _, left = _rest(text, body)
    return subject.error(elements, code if code.type else ErrorMapping(type, None), bad_value, detail or left)


def _parse(text: str, subject: Subject) -> list[FieldError]:
    found: list[FieldError] = []
    position = 0
    while head := _HEAD.match(text, position):
        type, bad_value, detail, position, left = _rest(text, head)
        found.append(subject.error(parse_elements(head["field"]), ErrorMapping(type, None), bad_value, detail))
        if left:
            found.append(_only_message(left, subject))
        following = _NEXT.match(text, position)
        if following is None:
            break
        position = following.end()
    return found or [_only_message(text, subject)]


def _rest(text: str, label: re.Match[str]) -> tuple[ErrorType, Any, str, int, str]:
    """Returns the type, bad value and detail after a label, the end of the error, and any other text before that."""
    type, position = _TYPES[label["label"]], label.end()
    bad_value: Any = ""
    detail_follows = bool(label["more"])
    if detail_follows and type not in _VALUELESS:
        bad_value, position = _value(text, position)
        detail_follows = text.startswith(": ", position)
        position += 2 if detail_follows else 0
    end = _NEXT.search(text, position)
    stop = end.start() if end else len(text)
    code = text[position:stop].strip()
    detail, left = (code, "") if detail_follows else ("", code.lstrip(",;:] \n\t*-"))
    if type is ErrorType.INVALID and _WRONG_TYPE.match(detail):
        type = ErrorType.TYPE_INVALID  # both have one label
    return type, bad_value, detail, stop, left


def _value(text: str, position: int) -> tuple[Any, int]:
    """Returns the bad value that begins there, and where it ends.

    A value that is neither JSON nor quoted ends at a colon.
    """
    if quoted := _QUOTED.match(text, position):
        return _unquote(quoted[0]), quoted.end()
    try:
        value, end = json.JSONDecoder().raw_decode(text, position)
        if end == len(text) or text.startswith((": ", ", ", "; ", "\n"), end):
            return value, end
    except (ValueError, RecursionError):
        pass
    colon, following = text.find(": ", position), _NEXT.search(text, position)
    end = min(place for place in (colon, following.start() if following else -1, len(text)) if place >= 0)
    return text[position:end], end


def _unquote(text: str) -> str:
    """Returns a text in double quotes with the escapes of JSON or Go."""
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        value = _ESCAPE.sub(_escape, text[1:-1])
    return str(value)


def _escape(match: re.Match[str]) -> str:
    inside = match[0][1:]
    if len(inside) == 1:
        return _SHORT.get(inside, inside)
    code = int(inside, 8) if inside[0] in "01234567" else int(inside[1:], 16)
    return chr(code) if code < 0x110000 else match[0]


def _only_message(text: str, subject: Subject) -> FieldError:
    return subject.error(None, UNKNOWN, "", text)


def _parse_located(text: str, subject: Subject) -> FieldError | None:
    """Returns the error of a text such as `spec.replicas: too big`, if the object has or can have a `spec`."""
    match = _PLACED.fullmatch(text)
    if match is None:
        return None
    elements = parse_elements(match["field"])
    if elements and not (subject.reach(elements[:1])[0] or subject.shape_at(elements[:1])):
        return None
    return error_at(elements, match["detail"], subject)


class HandwrittenError(TypeError):
    """A function cannot be adapted, or answers with something that cannot be understood. The text names it."""


#: Names under which libraries report errors of the whole object.
_WHOLE = frozenset({"", "_schema", "non_field_errors", "__all__", "__root__", "<nil>"})


def errors_by_field(messages: Any, subject: Subject, function: str = "the function") -> list[FieldError]:
    """Converts messages by field to errors. They may be texts, lists, and mappings from names, at any depth.

    Raises:
        HandwrittenError: it contains another type.
    """
    return list(_errors(messages, [], subject, function))


def _errors(messages: Any, elements: list[Element], subject: Subject, function: str) -> Iterator[FieldError]:
    if isinstance(messages, Mapping):
        if elements and _is_map(subject.shape_at(elements[:-1])) and messages.keys() <= {"key", "value"}:
            # The value of a map, and its key, which Kubernetes reports at the map.
            yield from _errors(messages.get("value"), elements, subject, function)
            key = Subject(str(elements[-1]), marks=subject.marks)
            for error in _errors(messages.get("key"), [], key, function):
                error.segments = list(subject.path(elements[:-1]).segments)
                yield error
            return
        for name, inner in messages.items():
            yield from _errors(inner, [*elements, *_parse_named(name, elements)], subject, function)
    elif isinstance(messages, list | tuple | set | frozenset):
        for inner in messages:
            yield from _errors(inner, elements, subject, function)
    elif isinstance(messages, str):
        yield _error(messages, elements, subject)
    elif isinstance(messages, FieldError):
        yield messages
    elif messages is not None and messages is not False:
        raise HandwrittenError(
            f"{function} returned a mapping with {messages!r:.60} in it: from places to messages was expected"
        )


def _is_map(shape: Shape | None) -> bool:
    while isinstance(shape, Pointer):
        shape = shape.elem
    return isinstance(shape, MapOf)


def _parse_named(name: Any, elements: list[Element]) -> list[Element]:
    if isinstance(name, int):
        return [name]
    if name is None or name in _WHOLE:
        return []
    return [str(name)] if elements else parse_elements(str(name))


def _error(text: str, elements: list[Element], subject: Subject) -> FieldError:
    code = find_message(text, subject.value(elements))
    if code is UNKNOWN:
        return error_at(elements, text, subject)
    return subject.error(elements, code, subject.value(elements), str(text))


def of_voluptuous(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of an `Invalid`, which can be a `MultipleInvalid`."""
    if hasattr(error, "errors"):
        return [found for each in error.errors for found in of_voluptuous(each, subject)]
    elements = [each if isinstance(each, int) else str(each) for each in error.path]
    text = str(error.msg)
    value = subject.value(elements)
    code = VOLUPTUOUS.get(type(error).__name__, UNKNOWN)
    if text == "extra keys not allowed":
        code = FORBIDDEN
    elif text.startswith("value must be "):
        code = MINIMUM if "at least" in text or "higher" in text else MAXIMUM
    elif code is UNKNOWN:
        code = find_message(text, value)
    return [error_at(elements, text, subject) if code is UNKNOWN else subject.error(elements, code, value, text)]
