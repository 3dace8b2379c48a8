"""Fast path for objects that are certainly valid: a table checks their structure, compiled Python their rules.

`tables` makes a table of a schema, by which native code fills in defaults and checks an object in one call; `walk` does
it in pure Python. `plain` recognizes metadata that the server stores as it was sent, and `rules` compiles CEL rules to
Python functions. None of them reports an error: if something may be wrong, the exact path repeats the step. So rare
cases are not supported.

Recognizes common metadata, which is valid, and which the server stores unchanged. It needs native code.

That is a name, a namespace, labels, few and short annotations, and server-set fields except managed fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from typing import Any

from validation_gen.kubernetes.cel.compiled import TOO_LARGE, DoubtError, UnsupportedError
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET, Rules
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.schema_path import as_written
from validation_gen.kubernetes.crd.stored_metadata import MetadataError, to_stored_metadata
from validation_gen.kubernetes.crd.values import judge
from validation_gen.kubernetes.objects.fastpath.rules import DOUBTS, CompiledRules
from validation_gen.kubernetes.objects.fastpath.tables import Found, Ready, Table, is_supported, make_table
from validation_gen.runtime.fastpath.nodes import MOST, Node
from validation_gen.runtime.formats import SURE
from validation_gen.runtime.goregex.pattern import build_whole_table
from validation_gen.runtime.names import label_key
from validation_gen.runtime.native import accept

_CODE: Any = accept
#: Greatest number and size of annotations, far below the limit for all of them together.
_ANNOTATIONS = 24
_BYTES = 8 * 1024


def is_plain(metadata: Any) -> bool:
    """Returns whether metadata, of an object in a namespace or in none, is certainly valid and stored unchanged."""
    return accept is not None and _acceptor()(metadata)


@cache
def _acceptor() -> Callable[[Any], bool]:
    nodes: list[Node] = []

    def add(node: Node) -> int:
        nodes.append(node)
        return len(nodes) - 1

    whole = Node(_CODE.STRUCT, flags=_CODE.CLOSED)
    add(whole)
    some_text = Node(_CODE.TEXT, min=1)
    known: set[str] = set()
    names_of_labels = _pattern("k8s-label-key", Found(_is_key, known), known)
    labels = Node(_CODE.MAP, min=1)
    labels.key = add(Node(_CODE.TEXT, patterns=[names_of_labels]))
    labels.item = add(Node(_CODE.TEXT, patterns=[_pattern("k8s-label-value")]))
    annotations = Node(_CODE.MAP, min=1, max=_ANNOTATIONS)
    annotations.key = labels.key
    annotations.item = add(Node(_CODE.TEXT, bytes=_BYTES))
    moments: set[str] = set()
    moment = Node(_CODE.TEXT, patterns=[(None, 0, moments, Found(_is_moment, moments), ())])
    for name, node, flags in (
        ("name", Node(_CODE.TEXT, patterns=[_pattern("k8s-long-name")]), _CODE.WANTED),
        ("namespace", Node(_CODE.TEXT, patterns=[_pattern("k8s-short-name")]), 0),
        ("labels", labels, 0),
        ("annotations", annotations, 0),
        ("uid", some_text, 0),
        ("resourceVersion", some_text, 0),
        ("generation", Node(_CODE.INTEGER, low=1, high=MOST), 0),
        ("creationTimestamp", moment, 0),
    ):
        whole.members.append((name, add(node), flags | _CODE.NOT_NULL, None))
    acceptor: Callable[[Any], bool] = _CODE.Acceptor(tuple(node.spec() for node in nodes))
    return acceptor


def _pattern(format: str, function: Any = None, known: Any = None) -> tuple[Any, ...]:
    pattern, longest = SURE[format]
    return build_whole_table(pattern), longest, known, function, ()


def _is_key(text: str) -> bool:
    return not label_key(text)


def _is_moment(text: str) -> bool:
    """Returns whether a time has the form in which the server writes it."""
    data = {"creationTimestamp": text}
    try:
        return to_stored_metadata(data) == data
    except MetadataError:
        return False


__all__ = ["FastPath", "is_plain"]

#: A table is made once objects of this size have taken the exact path, which takes about as long …
_PATIENCE = 8 * 1024
#: … and of the size of the schema, divided by this.
_SHARE = 4
#: Size of values that native code does not measure.
_USUAL_SIZE = 1024


class FastPath:
    """Fast path for the objects of one schema.

    Args:
        schema: the schema.
        raw: the same, as in a definition.
        rules: returns the rules of the schema, which are read when the first object needs them.
        used: False if all objects take the exact path.
    """

    def __init__(
        self, schema: Schema, raw: Mapping[str, Any], rules: Callable[[], Rules | None], *, used: bool = True
    ) -> None:
        self._schema = schema
        self._find_rules = rules
        self._table: Table | None = None
        self._ready: Ready | None = _never
        self._patience = 0
        if used and is_supported(schema):
            self._ready = None
            self._patience = _PATIENCE + _measure(raw) // _SHARE

    def disable(self) -> None:
        """Lets all objects take the exact path."""
        self._ready = _never

    def make_table(self) -> None:
        """Makes the table, if objects may take the fast path, without waiting for further objects."""
        if self._ready is not None:
            return
        self._table = table = make_table(self._schema)
        self._ready = table.ready if table is not None else _never

    def normalize(self, obj: Any) -> dict[str, Any] | None:
        """Returns an object with its defaults if it is valid, apart from its metadata and rules; None if in doubt.

        The result is the object itself if nothing is filled in, else a copy that shares parts with it.
        """
        if self._ready is None:
            self._patience -= _measure(obj)
            if self._patience > 0:
                return None
            self.make_table()
        return self._ready(obj)  # type: ignore[misc]  # `make_table` sets it

    def accepts_metadata(self, metadata: dict[str, Any]) -> bool:
        """Returns whether the schema allows the metadata of a normalized object."""
        return self._table is None or self._table.metadata is None or not judge(self._table.metadata, metadata)

    def accepts_rules(self, new: dict[str, Any], old: dict[str, Any] | None = None) -> bool:
        """Returns whether all rules certainly hold for normalized objects."""
        try:
            self._run_rules(new, old)
        except DOUBTS:
            return False
        return True

    def count_cost(self, new: dict[str, Any], old: dict[str, Any] | None) -> int | Callable[[], int]:
        """Returns the cost of the rules, or a function that counts it: the exact path has to run them again."""
        rules = self._find_rules()
        return 0 if rules is None else partial(_count, rules, new, old)

    def write(self, obj: dict[str, Any]) -> dict[str, Any]:
        """Returns a copy of a normalized object as a client reads it."""
        if accept is None or self._table is None or self._table.has_numbers:
            found: dict[str, Any] = as_written(obj)
            return found
        return accept.copied(obj)  # type: ignore[no-any-return]  # it is a dict, too

    @cached_property
    def _run_rules(self) -> Callable[[Any, Any], int]:
        rules = self._find_rules()
        if rules is None:
            return _cost_nothing
        try:
            return CompiledRules(rules).run
        except (UnsupportedError, *TOO_LARGE):
            return _doubt


def _measure(value: Any) -> int:
    """Returns the size of a value as JSON."""
    size = -1 if accept is None else accept.json_size(value)
    return size if size >= 0 else _USUAL_SIZE


def _never(_: Any) -> None:
    return None


def _cost_nothing(_new: Any, _old: Any) -> int:
    return 0


def _doubt(_new: Any, _old: Any) -> int:
    raise DoubtError


def _count(rules: Rules, new: Any, old: Any) -> int:
    return OBJECT_BUDGET - max(rules.check(new, old).budget, 0)
