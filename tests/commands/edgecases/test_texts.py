"""Valid texts are valid, and those that miss a format by little do miss it."""

from __future__ import annotations

from tests.tables import each
from validation_gen.commands.edgecases import texts
from validation_gen.commands.edgecases.values import CUSTOM_JSON, limits, numbers_near
from validation_gen.runtime.formats import FORMATS
from validation_gen.runtime.wire import WIRE


@each("name", sorted(FORMATS))
def test_texts_are_on_the_side_of_a_format_on_which_they_are_listed(name: str) -> None:
    good, bad = texts.FORMAT_SAMPLES[name]
    assert [text for text in good if FORMATS[name](text)] == []
    assert [text for text in bad if not FORMATS[name](text)] == []


@each("form", sorted(WIRE))
def test_values_with_a_form_of_their_own_decode(form: str) -> None:
    assert [value for value in CUSTOM_JSON[form] if WIRE[form].check(value)] == []


def test_texts_have_the_length_that_is_asked_for() -> None:
    for length in range(300):
        assert {len(text) for text in texts.of_length(length)} == {length}
    assert list(texts.of_length(-1)) == []


def test_bytes_and_characters_differ() -> None:
    for count in range(1, 50):
        sizes = {(len(text), len(text.encode())) for text in texts.of_bytes(count)}
        assert any(size == count and more > count for size, more in sizes)
        assert any(size == count for _, size in sizes)


@each("go", ["int8", "uint8", "int32", "uint32", "int64", "uint64", "int", "uint", "float64"])
def test_numbers_are_of_their_type_and_around_the_limits(go: str) -> None:
    low, high = limits(go)
    numbers = numbers_near(go, [100])
    assert all(low <= number <= high for number in numbers)
    assert {99, 100, 101, 98, 102, low, high} <= set(numbers)
