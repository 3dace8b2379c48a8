"""Bad values of errors, as tests in Go compare and print them: `reflect.DeepEqual` and the verb `%v`.

What is here is for `ErrorMatcher`; texts of errors are made in `runtime.gotext`.
"""

from __future__ import annotations

from validation_gen.runtime.gotext import go_quote, render_bad_value


def is_same_value(a: object, b: object) -> bool:
    """Returns whether two decoded values have equal types and values, at any depth: `1`, `1.0` and `True` differ."""
    todo = [(a, b)]
    seen: set[tuple[int, int]] = set()
    while todo:
        a, b = todo.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            children = [(a[key], b[key]) for key in a] if a.keys() == b.keys() else None
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            children = list(zip(a, b, strict=True)) if len(a) == len(b) else None
        else:
            children = [] if _kind(a) is _kind(b) and a == b else None
        if children is None:
            return False
        if children and (id(a), id(b)) not in seen:  # YAML aliases make cycles
            seen.add((id(a), id(b)))
            todo += children
    return True


def _kind(value: object) -> type:
    """The type of a value; all strings are of one."""
    return str if isinstance(value, str) else type(value)


def go_value(value: object) -> str:
    """A decoded value as `%v` prints it. A string is quoted, unless it is inside another value."""
    return go_quote(value) if isinstance(value, str) else _inner(value, ())


def _inner(value: object, above: tuple[int, ...]) -> str:
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "<nil>"
    if id(value) in above or len(above) > 100:  # YAML aliases make cycles
        return "..."
    if isinstance(value, dict):
        inner = (*above, id(value))
        items = sorted((_inner(key, inner), _inner(item, inner)) for key, item in value.items())
        return f"map[{' '.join(f'{key}:{item}' for key, item in items)}]"
    if isinstance(value, list | tuple):
        inner = (*above, id(value))
        return f"[{' '.join(_inner(item, inner) for item in value)}]"
    return render_bad_value(value, json_string=False)
