from collections.abc import Callable
from typing import Any

NEVER: int
ANY: int
TEXT: int
INTEGER: int
BOOLEAN: int
NUMBER: int
INT_OR_TEXT: int
WIRE: int
LIST: int
MAP: int
STRUCT: int
LEAVES_UNSET: int
FILLED: int
CHANGES: int
COMPARED: int
WANTED: int
EMPTY: int
NOT_NULL: int
POINTER: int
COUNTED: int
EXACTLY_ONE: int
AT_MOST_ONE: int
SELECTED: int
BOTH_OR_NO_FIRST: int
NOT_BOTH: int

class Acceptor:
    def __init__(self, nodes: tuple[tuple[Any, ...], ...], /) -> None: ...
    def __call__(self, obj: Any, old: Any = None, /) -> bool: ...

def plain(line: bytes, value: Any, /) -> bool: ...
def read_yaml(text: str, meaning: Callable[[str], Any], /) -> tuple[Any, int, list[int]] | None: ...
def yaml_places(text: str, meaning: Callable[[str], Any], /) -> tuple[int, Any] | None: ...
def json_size(value: Any, /) -> int: ...
def plain_schemas(
    schema: Any, is_known: Callable[[str, str], bool], is_pattern: Callable[[str], bool], /
) -> tuple[set[int], set[int]]: ...
