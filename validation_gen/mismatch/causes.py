"""Why two sides differ, and which tag is to blame.

What can be seen in the errors is looked at first. For the rest the validators are asked again: as if the object were
new, and with each validation option switched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.declarative import FAILURES
from validation_gen.mismatch.outcome import Cause, Explanation, Mismatch, Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

_ELEMENT = re.compile(r"\[[^\[\]]*\]")

#: Asks a side again: whether for an update, and with which validation options.
Ask = Callable[[bool, Mapping[str, bool]], Sequence[FieldError]]


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """A rule that a tag declares: the tag in canonical form, and where it stands."""

    tag: str
    source: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the types beside their validators. By default that is nothing.

    Attributes:
        rule: the rule that declares an error of this field, type and origin.
        place: where the field of a path is declared, `""` if there is none.
        options: the names of all validation options.
    """

    rule: Callable[[FieldError], DeclaredRule | None] | None = None
    place: Callable[[str], str] = lambda path: ""
    options: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One request with both answers.

    `handwritten` and `declarative` are all errors, `compared` those declarative ones that took part. `again` and
    `handwritten_again` ask the sides once more.
    """

    handwritten: Sequence[FieldError]
    declarative: Sequence[FieldError]
    compared: Sequence[FieldError]
    mismatches: Sequence[Mismatch]
    update: bool
    options: Mapping[str, bool]
    again: Ask
    handwritten_again: Ask | None = None
    panicked: bool = False


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains mismatches of one comparison."""

    comparison: Comparison
    knowledge: Knowledge = field(default_factory=Knowledge)

    def explain(self, mismatch: Mismatch, evidence: Evidence) -> Explanation:
        """The cause that accounts for a mismatch best."""
        causes = self._of_handwritten if mismatch.side is Side.HANDWRITTEN else self._of_declarative
        return next(causes(mismatch.error, evidence))

    def _of_handwritten(self, error: FieldError, evidence: Evidence) -> Iterator[Explanation]:
        matches = self.comparison.matcher.matches
        if evidence.panicked:
            yield Explanation(Cause.PANIC, "declarative validation failed before it could answer")
        for other in evidence.declarative:
            if matches(error, other):
                text = "the tag is standard, and standard rules are not compared: delete the handwritten check"
                yield _blaming(Cause.STANDARD, text, other)
        declared = self.knowledge.rule(error) if self.knowledge.rule is not None else None
        for other in _errors(evidence.mismatches, Side.DECLARATIVE):
            yield from _pair(error, other, self.comparison, is_declared=declared is not None)
        if self.knowledge.rule is None or declared is not None:
            for other in evidence.declarative:
                if other.short_circuit and _is_at_or_above(other.field, error.field):
                    where = "there" if other.field == error.field else f"at {other.field}"
                    text = f"declarative validation stopped {where}, and did not look further"
                    yield _blaming(Cause.SHORT_CIRCUITED, text, other)
        yield from self._asked_again(error, evidence)
        if declared is not None:
            text = "the tag declares such an error, and accepts this value"
            yield Explanation(Cause.RULE_DIFFERS, text, declared.tag, declared.source)
        place = self.knowledge.place(error.field)
        yield Explanation(Cause.RULE_MISSING, "no tag declares what the handwritten validation checks", "", place)

    def _asked_again(self, error: FieldError, evidence: Evidence) -> Iterator[Explanation]:
        """Whether declarative validation has the error if it is asked in another way."""
        matches = self.comparison.matcher.matches
        if evidence.update:
            for other in _answers(evidence.again, False, evidence.options):
                if matches(error, other):
                    text = "on update, declarative validation passes over what has not changed"
                    yield _blaming(Cause.RATCHETED, text, other)
        for option, options in self._switched(evidence):
            for other in _answers(evidence.again, evidence.update, options):
                if matches(error, other):
                    state = "on" if options[option] else "off"
                    text = f"the tag holds only while the validation option {option} is {state}"
                    yield _blaming(Cause.GATED, text, other)

    def _switched(self, evidence: Evidence) -> Iterator[tuple[str, dict[str, bool]]]:
        """The options of a request with each one switched."""
        for option in sorted(evidence.options.keys() | self.knowledge.options):
            yield option, {**evidence.options, option: not evidence.options.get(option, False)}

    def _of_declarative(self, error: FieldError, evidence: Evidence) -> Iterator[Explanation]:
        matches = self.comparison.matcher.matches
        if evidence.panicked:
            yield Explanation(Cause.PANIC, "declarative validation failed before it could answer")
        for other in evidence.handwritten:
            if matches(other, error) and Mark.COVERED not in other.marks and not self.comparison.everything:
                text = "the handwritten error is not marked as covered by declarative validation"
                yield _blaming(Cause.NOT_COVERED, text, error, other)
        for other in _errors(evidence.mismatches, Side.HANDWRITTEN):
            declared = self.knowledge.rule is not None and self.knowledge.rule(other) is not None
            yield from _pair(other, error, self.comparison, is_declared=declared, turned=True)
        for option, options in self._switched(evidence):
            if option in error.tag and not _has(_answers(evidence.again, evidence.update, options), error):
                state = "on" if evidence.options.get(option) else "off"
                text = f"the tag holds because the validation option {option} is {state}; the handwritten check differs"
                yield _blaming(Cause.GATED, text, error)
        if evidence.update and evidence.handwritten_again is not None:
            for other in _answers(evidence.handwritten_again, False, evidence.options):
                if matches(other, error):
                    text = "on update, the handwritten validation passes over it"
                    yield _blaming(Cause.RATCHETED, text, error, other)
        yield _blaming(Cause.RULE_EXTRA, "no handwritten check reports what the tag declares", error)


def _answers(again: Ask, update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
    """What a side says when it is asked again. One that fails then says nothing."""
    try:
        return again(update, options)
    except FAILURES:
        return ()


def _errors(mismatches: Sequence[Mismatch], side: Side) -> list[FieldError]:
    return [mismatch.error for mismatch in mismatches if mismatch.side is side]


def _blaming(cause: Cause, text: str, error: FieldError, other: FieldError | None = None) -> Explanation:
    """An explanation that blames the tag of a declarative error."""
    return Explanation(cause, text, error.tag, error.source, error if other is None else other)


def _pair(
    handwritten: FieldError,
    declarative: FieldError,
    comparison: Comparison,
    *,
    is_declared: bool,
    turned: bool = False,
) -> Iterator[Explanation]:
    """In what a handwritten error and a declarative one differ that are the same otherwise.

    `is_declared` says that a tag declares the handwritten error where it is, so that the other is not the same
    elsewhere. With `turned` the declarative error is what is explained.
    """
    other = handwritten if turned else declarative
    path = comparison.matcher.normalized(declarative.field) if declarative.field != handwritten.field else ""
    same_field = not path or path == handwritten.field
    same_type = handwritten.type == declarative.type
    same_origin = handwritten.origin == declarative.origin
    if same_field and same_type and same_origin and not handwritten.origin:  # both Invalid, and neither says why
        text = "neither error says which rule it is, so that they cannot be compared: add `.with_origin(…)`"
        yield Explanation(Cause.ORIGIN_MISSING, text, declarative.tag, declarative.source, other)
    elif same_field and same_type and not same_origin:
        if not handwritten.origin or not declarative.origin:
            wanted = declarative.origin or handwritten.origin
            where = "handwritten" if not handwritten.origin else "declarative"
            text = f"the {where} error does not say which rule it is: its origin is `{wanted}`"
            yield Explanation(Cause.ORIGIN_MISSING, text, declarative.tag, declarative.source, other)
        elif not is_declared:
            text = f"the handwritten error has the origin `{handwritten.origin}`, the tag `{declarative.origin}`"
            yield Explanation(Cause.ORIGIN_DIFFERS, text, declarative.tag, declarative.source, other)
    elif same_field and not same_type and not is_declared and _is_common(handwritten, declarative):
        text = f"the handwritten error has the type {handwritten.type.value}, the tag gives {declarative.type.value}"
        yield Explanation(Cause.TYPE_DIFFERS, text, declarative.tag, declarative.source, other)
    elif same_type and same_origin and not is_declared and _are_near(handwritten, declarative):
        text = f"the handwritten error is at `{handwritten.field}`, the tag's at `{declarative.field}`"
        yield Explanation(Cause.PATH_DIFFERS, text, declarative.tag, declarative.source, other)


def _is_common(a: FieldError, b: FieldError) -> bool:
    """Whether errors of different types at one field can be meant to be the same."""
    return a.origin == b.origin or not (a.origin and b.origin)


def _are_near(a: FieldError, b: FieldError) -> bool:
    """Whether paths can mean the same place: one above the other, the same but for indexes, the same last name."""
    one, two = a.field, b.field
    if Mark.ANY_FIELD in a.marks or _is_at_or_above(one, two) or _is_at_or_above(two, one):
        return True
    plain, other = _ELEMENT.sub("", one), _ELEMENT.sub("", two)
    if plain == other or plain.rpartition(".")[2] == other.rpartition(".")[2]:
        return True
    has_value = a.type not in (ErrorType.REQUIRED, ErrorType.FORBIDDEN) and a.bad_value not in ("", None)
    return has_value and a.bad_value == b.bad_value and bool(a.origin)


def _is_at_or_above(parent: str, child: str) -> bool:
    return parent == child or (parent != "<nil>" and child.startswith((f"{parent}.", f"{parent}[")))


def _has(errors: Sequence[FieldError], wanted: FieldError) -> bool:
    return any(
        (each.type, each.field, each.origin, each.tag) == (wanted.type, wanted.field, wanted.origin, wanted.tag)
        for each in errors
    )
