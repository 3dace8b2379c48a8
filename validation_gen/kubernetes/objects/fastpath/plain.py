"""Recognizes common metadata, which is valid, and which the server stores unchanged. It needs native code.

That is a name, a namespace, labels, few and short annotations, and server-set fields except managed fields.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from validation_gen.kubernetes.crd.keptmeta import MetadataError, kept
from validation_gen.kubernetes.objects.fastpath.tables import Found
from validation_gen.runtime.acceptance.automata import table_of
from validation_gen.runtime.acceptance.nodes import MOST, Node
from validation_gen.runtime.formats import SURE
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


def _pattern(format: str, ask: Any = None, known: Any = None) -> tuple[Any, ...]:
    pattern, longest = SURE[format]
    return table_of(pattern), longest, known, ask, ()


def _is_key(text: str) -> bool:
    return not label_key(text)


def _is_moment(text: str) -> bool:
    """Returns whether a time has the form in which the server writes it."""
    data = {"creationTimestamp": text}
    try:
        return kept(data) == data
    except MetadataError:
        return False
