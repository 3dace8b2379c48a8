"""Runs cases, and compares their errors with the expected ones."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.commands.cel.evaluation import (
    PlaceError,
    SchemaPart,
    Tried,
    at_path,
    evaluate,
    guess_spot,
    parse_steps,
)
from validation_gen.commands.cel.suites.reading import BAD_REQUEST, Case, ExpectedError, Suite
from validation_gen.commands.cel.suites.subjects import FIELD, Subject, Subjects
from validation_gen.diagnostics.formats import one_line
from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.objects import Outcome, UndefinedError, UnsupportedRequestError
from validation_gen.runtime.errors import FieldError


@dataclass(frozen=True, slots=True)
class Found:
    """An error, or a warning, which has only a message."""

    message: str
    path: str = ""
    type: str = ""
    text: str = ""

    def __str__(self) -> str:
        return self.text or self.message


def fits(wanted: ExpectedError, found: Found) -> bool:
    """Returns whether an error matches an expected one."""
    return (
        (wanted.path is None or wanted.path == found.path)
        and (wanted.type is None or wanted.type == found.type)
        and (wanted.message is None or wanted.message == found.message)
        and (wanted.contains is None or wanted.contains in found.message)
    )


def find_unmatched(wanted: Sequence[ExpectedError], found: Sequence[Found]) -> tuple[list[ExpectedError], list[Found]]:
    """Returns the missing and the unexpected errors, after a maximum matching."""
    taken: dict[int, int] = {}  # matched errors by number, with the number of the expected one
    for number in range(len(wanted)):
        _match_expected(number, wanted, found, taken)
    placed = set(taken.values())
    missing = [each for number, each in enumerate(wanted) if number not in placed]
    return missing, [each for number, each in enumerate(found) if number not in taken]


def _match_expected(start: int, wanted: Sequence[ExpectedError], found: Sequence[Found], taken: dict[int, int]) -> None:
    """Adds one expected error to the matching along a shortest augmenting path."""
    came: dict[int, int] = {}  # visited errors, with the expected error that reached each
    waiting = deque([start])
    while waiting:
        asking = waiting.popleft()
        for place, each in enumerate(found):
            if place in came or not fits(wanted[asking], each):
                continue
            came[place] = asking
            if place in taken:
                waiting.append(taken[place])
                continue
            _move(place, start, came, taken)
            return


def _move(place: int, start: int, came: dict[int, int], taken: dict[int, int]) -> None:
    """Moves the matches along the augmenting path."""
    while True:
        mover = came[place]
        before = next((where for where, who in taken.items() if who == mover), None)
        taken[place] = mover
        if mover == start or before is None:
            return
        place = before


_MISSING = object()
#: The server's note about skipped rules. Cases need not expect it.
_NOTE = "some validation rules were not checked"


@dataclass(slots=True)
class Ran:
    """A case that was run, and its deviations: `problems` are sentences for people.

    It is `undecided` if there was no verdict: a request was malformed, or an expression gave no value. A case with
    `valid: false` does not expect this, which is usually a mistake of the case.
    """

    suite: Suite
    case: Case
    errors: list[Found] = field(default_factory=list)
    warnings: list[Found] = field(default_factory=list)
    cost: int = 0
    problems: list[str] = field(default_factory=list)
    undecided: bool = False

    @property
    def fails(self) -> bool:
        return bool(self.problems)


def run_all(suites: list[Suite], subjects: Subjects) -> Iterator[Ran]:
    """Runs all cases. Problems of the files that they name are added to `subjects`."""
    for suite in suites:
        before = len(subjects.diagnostics.items)
        subject = subjects.find(suite)
        if len(subjects.diagnostics.items) == before:
            for case in suite.cases:
                ran = run_case(suite, case, subject, subjects)
                if ran is not None:
                    yield ran


def run_case(suite: Suite, case: Case, subject: Subject | None, subjects: Subjects) -> Ran | None:
    """Runs a case; None if a file or the location that it names is invalid, which `subjects` reports."""
    new = _find_subject(suite, case, subjects, ("object", "file", "value"))
    old = _find_subject(suite, case, subjects, ("old", "oldFile", "oldValue"))
    if new is _MISSING or (old is _MISSING and {"old", "oldFile", "oldValue"} & case.given.keys()):
        return None
    ran = Ran(suite, case)
    try:
        if case.text is None:
            assert subject is not None, "the reader has seen to it"
            _judge(ran, subject, new, old)
        else:
            _try(ran, subject, new, old)
    except PlaceError as error:
        at = suite.span(*case.keys, "at")
        subjects.diagnostics.error("VG912", str(error), at, "name a place such as .spec.ports[*]")
        return None
    except (UnsupportedRequestError, UndefinedError) as error:
        ran.problems.append(f"it is not judged: {error}")
    except RecursionError:
        ran.problems.append("it is not judged: nested too deeply")
    return ran


def _find_subject(suite: Suite, case: Case, subjects: Subjects, names: tuple[str, str, str]) -> Any:
    inline, file, value = names
    if file not in case.given:
        return case.given.get(inline, case.given.get(value, _MISSING))
    span = suite.span(*case.keys, file)
    before = len(subjects.diagnostics.items)
    found = subjects.objects(suite, case.given[file], span)
    if len(found) == 1:
        return found[0].obj
    if len(subjects.diagnostics.items) == before:
        message = f"{case.given[file]} has {len(found)} objects, not one"
        subjects.diagnostics.error("VG912", message, span, "name a file that holds one object")
    return _MISSING


# --- whole objects ----------------------------------------------------------------------------------------------------


def _judge(ran: Ran, subject: Subject, new: Any, old: Any) -> None:
    """Validates an object, or a value by the rules of the test file."""
    case = ran.case
    if "at" in case.given:
        at_path(subject.schema, case.given["at"])
    sent = _whole(new, subject, "file" in case.given)
    before = None if old is _MISSING else _whole(old, subject, "oldFile" in case.given)
    if not isinstance(sent, dict) or not isinstance(before, dict | None):
        raise UnsupportedRequestError("it is not an object")
    outcome = subject.scheme.admit(sent, before)
    ran.errors = list(_errors(outcome, subject))
    ran.undecided = bool(outcome.problems)
    # Before the server evaluates rules, errors say nothing about a location.
    if not outcome.problems and not any(each.message.startswith(_NOTE) for each in ran.errors):
        ran.errors = [each for each in ran.errors if _is_at(each.path, case.given.get("at", ""))]
    ran.warnings = [Found(warning) for warning in outcome.warnings]
    ran.cost = outcome.cost
    _compare(ran)


def _whole(value: Any, subject: Subject, is_file: bool) -> Any:
    """Returns a value as a complete object. Objects in a test may leave out the constant parts."""
    version = subject.kind.versions[subject.version]
    head = {"apiVersion": version.api_version, "kind": subject.kind.kind}
    if subject.own is not None:
        return {**head, "metadata": {"name": "tested"}, FIELD: value}
    if is_file or not isinstance(value, dict):
        return value
    metadata = value.get("metadata", {})
    if isinstance(metadata, dict) and not {"name", "generateName"} & metadata.keys():
        metadata = {"name": "tested", **metadata}
    return {**head, **value, "metadata": metadata}


def _errors(outcome: Outcome, subject: Subject) -> Iterator[Found]:
    for problem in outcome.problems:
        yield Found(problem, "", BAD_REQUEST, f"{BAD_REQUEST}: {problem}")
    for error in outcome.errors:
        path = "" if error.field == "<nil>" else error.field
        type = error.type.value.removeprefix("FieldValue")
        if subject.own is None:
            yield Found(error.detail, path, type, str(error))
        else:
            short = path.removeprefix(FIELD).removeprefix(".")
            yield Found(error.detail, short, type, _text(error, short))


def _text(error: FieldError, path: str) -> str:
    return f"{path or '<nil>'}{str(error).removeprefix(error.field)}"


def _is_at(path: str, place: str) -> bool:
    """Returns whether a path is at a location or below it. `[*]` matches any item."""
    steps, wanted = parse_steps(path), parse_steps(place)
    return len(steps) >= len(wanted) and all(want in ("*", step) for step, want in zip(steps, wanted, strict=False))


# --- a rule or an expression ------------------------------------------------------------------------------------------


def _try(ran: Ran, subject: Subject | None, new: Any, old: Any) -> None:
    """Evaluates a rule or an expression at its location."""
    case = ran.case
    found = _evaluate(case, subject, new, old)
    ran.cost = found.cost
    text = str(case.text)
    ran.undecided = bool(found.error) or ("rule" in case.given and found.type != "bool")
    if found.error:
        ran.errors = [Found(first_line(found.error))]
    elif "rule" in case.given and found.value is not True:
        message = "it is no rule" if found.type != "bool" else "failed rule"
        ran.errors = [Found(one_line(f"{message}: {text.strip()}"))]
    if "result" in case.given and not found.error:
        _compare_result(ran, found)
    _compare(ran)


def first_line(error: str) -> str:
    """Returns the first line of an error of an expression: `undefined field 'x'`."""
    return error.partition("\n")[0]


def _evaluate(case: Case, subject: Subject | None, new: Any, old: Any) -> Tried:
    at = case.given.get("at", "")
    whole = "value" not in case.given
    if subject is not None:
        spot = at_path(subject.schema, at, resource=subject.own is None)
    elif whole:
        spot = guess_spot(new, at)
    else:
        spot = SchemaPart(guess_spot(new, "").schema, resource=False)
    value = spot.value(new) if whole else new
    before = old if old is _MISSING or "oldValue" in case.given else spot.value(old)
    return evaluate(
        str(case.text),
        spot.scope(NEWEST),
        value,
        None if before is _MISSING else before,
        optional=case.given.get("optionalOldSelf", False),
    )


def _compare_result(ran: Ran, found: Tried) -> None:
    wanted = ran.case.given["result"]
    if not _same(wanted, found.value):
        ran.problems.append(f"expected the result {_json(wanted)}")
        ran.problems.append(f"it is {_json(found.value)}")


def _same(wanted: Any, value: Any) -> bool:
    """Returns whether two values are equal in JSON, where true is not 1."""
    if isinstance(wanted, bool) or isinstance(value, bool):
        return wanted is value
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.keys() == value.keys() and all(_same(item, value[name]) for name, item in wanted.items())
    if isinstance(wanted, list) and isinstance(value, list):
        return len(wanted) == len(value) and all(map(_same, wanted, value))
    return bool(wanted == value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# --- comparing --------------------------------------------------------------------------------------------------------


def _compare(ran: Ran) -> None:
    """Records the deviations from the expected result."""
    case = ran.case
    if case.valid is False:
        if not ran.errors:
            ran.problems.append("it is valid, and should not be")
        elif ran.undecided:
            ran.problems += [f"there, and only expected if it is one of `errors`: {each}" for each in ran.errors]
    else:
        missing, others = find_unmatched(case.errors or (), ran.errors)
        ran.problems += [f"expected and not there: {each}" for each in missing]
        others = [each for each in others if not each.message.startswith(_NOTE)]
        ran.problems += [f"there and not expected: {each}" for each in others]
    if case.warnings is not None:
        missing, others = find_unmatched(case.warnings, ran.warnings)
        ran.problems += [f"expected and not there: Warning: {each}" for each in missing]
        ran.problems += [f"there and not expected: Warning: {each}" for each in others]
    if case.most_cost is not None and ran.cost > case.most_cost:
        ran.problems.append(f"the cost is {ran.cost}, and should be at most {case.most_cost}")
