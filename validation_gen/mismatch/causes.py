"""Finds the cause of a difference between two sides, and the tag to blame.

The errors themselves are examined first: pairs of them may differ in one part (path, type or origin). For the rest the
validators run again: as if the object were new, and with each validation option switched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from validation_gen.mismatch.comparison import FAILURES, Ask, Comparison, is_of_shape
from validation_gen.mismatch.expected import general_path
from validation_gen.mismatch.matcher import ErrorMatcher, is_above
from validation_gen.mismatch.outcome import Cause, Explanation, Mismatch, Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

#: Errors of these types have the same value for many objects.
_WITHOUT_OWN_VALUE = (ErrorType.TOO_LONG, ErrorType.TOO_MANY, ErrorType.TOO_FEW)

#: Ranks of causes by the similarity of their errors.
RANKS = {Cause.ORIGIN_MISSING: 0, Cause.ORIGIN_DIFFERS: 1, Cause.TYPE_DIFFERS: 2, Cause.PATH_DIFFERS: 3}


def compare_errors(
    handwritten: FieldError, declarative: FieldError, matcher: ErrorMatcher, *, is_declared: bool
) -> tuple[Cause, str] | None:
    """Returns the one difference between two errors, as a term and as a sentence; `None` if there are more.

    `is_declared` is True if a tag declares exactly the handwritten error, so that the other is a different one.
    """
    same_field = handwritten.field in (declarative.field, matcher.normalized(declarative.field))
    same_type = handwritten.type is declarative.type
    wanted, got = handwritten.origin, declarative.origin
    if same_field and same_type:
        if not wanted and not got:
            text = "neither error says which rule it is, so that they cannot be compared: add `.with_origin(…)`"
            return Cause.ORIGIN_MISSING, text
        if not wanted:
            return Cause.ORIGIN_MISSING, f"the handwritten error does not say which rule it is: its origin is `{got}`"
        if not is_declared and wanted != got:
            level = f"the tag's `{got}`" if got else "the tag's none"
            return Cause.ORIGIN_DIFFERS, f"the handwritten error has the origin `{wanted}`, {level}"
    elif same_field and not is_declared and (wanted == got or not (wanted and got)):
        text = f"the handwritten error has the type {handwritten.type.value}, the tag's {declarative.type.value}"
        return Cause.TYPE_DIFFERS, text
    elif same_type and wanted == got and _are_near(handwritten, declarative, is_declared=is_declared):
        text = f"the handwritten error is at `{handwritten.field}`, the tag's at `{declarative.field}`"
        return Cause.PATH_DIFFERS, text
    return None


def _are_near(a: FieldError, b: FieldError, *, is_declared: bool) -> bool:
    """Returns whether paths can mean the same value: one above the other, equal but for indexes, same last name.

    A declared one can only differ in its index.
    """
    one, two = a.field, b.field
    values = [each.bad_value for each in (a, b) if each.bad_value is not None and each.bad_value != ""]
    is_other = len(values) == 2 and values[0] != values[1]
    plain, other = (general_path(path).replace("[*]", "") for path in (one, two))
    if plain == other or is_declared:
        return plain == other and not is_other
    if Mark.ANY_FIELD in a.marks or is_at_or_above(one, two) or is_at_or_above(two, one):
        return True
    if a.origin and "<nil>" in (one, two):
        return True
    if plain.rpartition(".")[2] == other.rpartition(".")[2]:
        return not is_other
    return len(values) == 2 and not is_other and bool(a.origin) and a.type not in _WITHOUT_OWN_VALUE


def is_at_or_above(parent: str, child: str) -> bool:
    return parent == child or is_above(parent, child)


#: Maximum number of similar errors that are examined by further runs, the closest first.
_MOST_PAIRS = 50


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """A rule that a tag declares: the tag in canonical form, and its location."""

    tag: str
    source: str


#: Returns the rule that declares an error of this field, type and origin.
Know = Callable[[FieldError], DeclaredRule | None]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge about the types beside their validators, by default none.

    Attributes:
        rule: returns the rule that declares an error of this field, type and origin.
        place: returns the location of a path's field, `""` if there is none.
        options: the names of all validation options.
    """

    rule: Know | None = None
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
        """Returns the cause that accounts for a mismatch best."""
        causes = self._of_handwritten if mismatch.side is Side.HANDWRITTEN else self._of_declarative
        return next(causes(mismatch.error, evidence))

    def _of_handwritten(self, error: FieldError, evidence: Evidence) -> Iterator[Explanation]:
        yield from _explain_failure(evidence)
        matches = self.comparison.matcher.matches
        for other in evidence.declarative:
            if matches(error, other):
                if self.comparison.one_to_many:
                    text = "the tag reports one error where the handwritten validation reports several"
                    yield _blaming(Cause.RULE_DIFFERS, text, other)
                text = "the tag is standard, and standard rules are not compared: delete the handwritten check"
                yield _blaming(Cause.STANDARD, text, other)
        know = self.knowledge.rule
        declared = know(error) if know is not None else None
        pairs = self._pairs(error, _errors(evidence.mismatches, Side.DECLARATIVE), know)
        yield from (pair for pair in pairs if pair.cause is Cause.ORIGIN_MISSING)
        yield from _not_asked(error, evidence.declarative)
        yield from self._explain_by_update(error, evidence)
        yield from pairs
        if know is None or declared is not None:
            yield from self._hidden(error, evidence.declarative)
        if declared is not None:
            text = "the tag declares such an error, and accepts this value"
            yield Explanation(Cause.RULE_DIFFERS, text, declared.tag, declared.source)
        text = "no tag declares what the handwritten validation checks"
        if know is None:
            text += ", or the one that does accepts this value"
        yield Explanation(Cause.RULE_MISSING, text, "", self.knowledge.place(error.field))

    def _hidden(self, error: FieldError, declarative: Sequence[FieldError]) -> Iterator[Explanation]:
        """Explains an error by an earlier declarative error that stopped validation."""
        normalized = self.comparison.matcher.normalized
        for other in declarative:
            if other.short_circuit:
                field = other.field
                if (
                    field == "<nil>"
                    or is_at_or_above(field, error.field)
                    or is_at_or_above(normalized(field), error.field)
                ):
                    where = "there" if field == error.field else f"at {field}"
                    text = f"declarative validation stopped {where}, and did not look further"
                    yield _blaming(Cause.SHORT_CIRCUITED, text, other)
        if Mark.SHORT_CIRCUITED in error.marks:
            text = "the handwritten error says itself that declarative validation stops before it would report the same"
            yield Explanation(Cause.SHORT_CIRCUITED, text)

    def _explain_by_update(self, error: FieldError, evidence: Evidence) -> Iterator[Explanation]:
        """Explains an error that declarative validation reports only on a create, or with other options."""
        matches = self.comparison.matcher.matches
        if evidence.update:
            for other in _answers(evidence.again, False, evidence.options) or ():
                if matches(error, other):
                    text = "on update, declarative validation skips what has not changed"
                    yield _blaming(Cause.RATCHETED, text, other)
        for option, options in self._switch_options(evidence):
            for other in _answers(evidence.again, evidence.update, options) or ():
                if matches(error, other):
                    state = "on" if options[option] else "off"
                    text = f"the tag holds only while the validation option {option} is {state}"
                    yield _blaming(Cause.GATED, text, other)

    def _switch_options(self, evidence: Evidence) -> Iterator[tuple[str, dict[str, bool]]]:
        """Yields the options of a request with each one switched."""
        for option in sorted(evidence.options.keys() | self.knowledge.options):
            yield option, {**evidence.options, option: not evidence.options.get(option, False)}

    def _of_declarative(self, error: FieldError, evidence: Evidence) -> Iterator[Explanation]:
        yield from _explain_failure(evidence)
        yield from _not_asked(error, [error])
        matches = self.comparison.matcher.matches
        for other in evidence.handwritten:
            if matches(other, error) and Mark.COVERED not in other.marks and not self.comparison.everything:
                text = "the handwritten error is not marked as covered by declarative validation"
                yield _blaming(Cause.NOT_COVERED, text, error, other)
        others = _errors(evidence.mismatches, Side.HANDWRITTEN)
        near = self._pairs(error, others, self.knowledge.rule, turned=True)[:_MOST_PAIRS]
        pairs = [
            pair
            for pair in near
            if pair.counterpart is not None and next(self._explain_by_update(pair.counterpart, evidence), None) is None
        ]
        yield from (pair for pair in pairs if pair.cause is Cause.ORIGIN_MISSING)
        for option, options in self._switch_options(evidence):
            if depends_on(error.tag, option):
                again = _answers(evidence.again, evidence.update, options)
                if again is not None and not _has(again, error):
                    state = "on" if evidence.options.get(option) else "off"
                    text = f"the tag holds as the validation option {option} is {state}; the handwritten check differs"
                    yield _blaming(Cause.GATED, text, error)
        if evidence.update and evidence.handwritten_again is not None:
            for other in _answers(evidence.handwritten_again, False, evidence.options) or ():
                if matches(other, error):
                    text = "on update, the handwritten validation skips it"
                    yield _blaming(Cause.RATCHETED, text, error, other)
        yield from pairs
        yield _blaming(Cause.RULE_EXTRA, "no handwritten check reports what the tag declares", error)

    def _pairs(
        self, error: FieldError, others: Sequence[FieldError], know: Know | None, *, turned: bool = False
    ) -> list[Explanation]:
        """Explains an error by a similar unpaired one of the other side; the closest first."""
        found = []
        for other in others:
            handwritten, declarative = (other, error) if turned else (error, other)
            is_declared = know is not None and know(handwritten) is not None
            difference = compare_errors(handwritten, declarative, self.comparison.matcher, is_declared=is_declared)
            if difference is not None:
                cause, text = difference
                found.append(Explanation(cause, text, declarative.tag, declarative.rule.place, other))
        return sorted(found, key=lambda pair: RANKS[pair.cause])


# --- causes visible in the errors
# --------------------------------------------------------------------------------------


def _explain_failure(evidence: Evidence) -> Iterator[Explanation]:
    """Explains a difference by a failure of declarative validation on the object."""
    if evidence.panicked:
        yield Explanation(Cause.PANIC, "declarative validation failed before it could answer")
    for other in evidence.declarative:
        if other.type is ErrorType.INTERNAL and not other.tag and other.field == "<nil>":
            yield Explanation(
                Cause.PANIC, f"declarative validation could not answer: {other.detail}", counterpart=other
            )


def _not_asked(error: FieldError, declarative: Sequence[FieldError]) -> Iterator[Explanation]:
    """Explains a difference by a value that was not validated: it does not decode, or an option is not defined."""
    for other in declarative:
        if other.type is ErrorType.INTERNAL and other.tag and is_at_or_above(other.field, error.field):
            text = f"declarative validation could not judge the value: {other.detail}"
            cause = Cause.GATED if other.detail.startswith("undefined validation option") else Cause.PANIC
            yield _blaming(cause, text, other)
        elif is_of_shape(other) and is_at_or_above(other.field, error.field):
            text = f"the value does not decode, so that declarative validation did not judge it: {other}"
            yield _blaming(Cause.TYPE_DIFFERS, text, other)


def _answers(again: Ask, update: bool, options: Mapping[str, bool]) -> Sequence[FieldError] | None:
    """Returns the errors of another run of a side, `None` if it fails."""
    try:
        found = again(update, options)
        return None if any(Mark.PANIC in error.marks for error in found) else found
    except FAILURES:
        return None


def _errors(mismatches: Sequence[Mismatch], side: Side) -> list[FieldError]:
    return [mismatch.error for mismatch in mismatches if mismatch.side is side]


def _blaming(cause: Cause, text: str, error: FieldError, other: FieldError | None = None) -> Explanation:
    """Returns an explanation that blames the tag of a declarative error."""
    return Explanation(cause, text, error.tag, error.rule.place, error if other is None else other)


def _has(errors: Sequence[FieldError], wanted: FieldError) -> bool:
    return any(
        (each.type, each.field, each.origin, each.tag) == (wanted.type, wanted.field, wanted.origin, wanted.tag)
        for each in errors
    )


def depends_on(tag: str, option: str) -> bool:
    """Returns whether a tag can depend on a validation option: by name, or as an enum with such values."""
    return f'("{option}")' in tag or tag.endswith("+k8s:enum")
