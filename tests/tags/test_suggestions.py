from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.diagnostics import Span
from validation_gen.tags import suggestions
from validation_gen.tags.model import quote
from validation_gen.tags.parser import RawTag, TagSyntaxError, parse

KNOWN = [
    *("k8s:enum", "k8s:format", "k8s:item", "k8s:listMapKey", "k8s:maxItems", "k8s:maxLength", "k8s:maximum"),
    *("k8s:minItems", "k8s:minLength", "k8s:minimum", "k8s:optional", "k8s:required", "k8s:unionMember", "k8s:unique"),
]


@each(
    ("word", "meant"),
    [
        # slips of case, dashes, prefix and `:=` come first
        ("k8s:maxitems", "k8s:maxItems"),
        ("k8s:MaxItems", "k8s:maxItems"),
        ("k8s:max-items", "k8s:maxItems"),
        ("k8s:maxItems:", "k8s:maxItems"),
        ("maxItems", "k8s:maxItems"),
        ("kubebuilder:validation:MaxItems", "k8s:maxItems"),
        ("k8s:Minimum", "k8s:minimum"),
        # then likeness
        ("k8s:maxItem", "k8s:maxItems"),
        ("k8s:requird", "k8s:required"),
        ("k8s:unionMembers", "k8s:unionMember"),
        ("k8s:listKey", "k8s:listMapKey"),
        ("k8s:optional", "k8s:optional"),
        # the common prefix alone is no likeness
        ("k8s:nope", None),
        ("k8s:x", None),
        ("k8s:", None),
        ("", None),
    ],
)
def test_nearest(word: str, meant: str | None) -> None:
    assert suggestions.probable(word, KNOWN) == meant
    assert suggestions.probable(word, iter(reversed(KNOWN))) == meant


def test_nothing_known_is_near() -> None:
    assert suggestions.probable("k8s:enum", []) is None


@each(
    ("advice", "example"),
    [(advice, example) for advice, examples in suggestions._EXAMPLES.items() for example in examples],
)
def test_example_gets_its_own_advice(advice: str, example: str) -> None:
    with pytest.raises(TagSyntaxError) as caught:
        parse(RawTag("a", example, Span("x.go", 1, 1, 1 + len(example))))
    assert caught.value.help.startswith(advice.partition("{")[0])


@pytest.mark.parametrize(("text", "shown"), [("x", '"x"'), ("", '""'), (r"a\"b", r'"a\\\"b"')])
def test_quoted(text: str, shown: str) -> None:
    assert quote(text) == shown


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("ezroed", "zeroed"),  # the first two letters are swapped
        ("zeored", "zeroed"),
        ("zeroe", "zeroed"),
        ("zeroeds", "zeroed"),
        ("eezroed", None),  # two slips, in a short name
    ],
)
def test_certain_names_have_a_single_slip(word: str, meant: str | None) -> None:
    assert suggestions.certain(word, ["zeroed", "optional"]) == meant
