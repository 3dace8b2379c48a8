"""Why two sides differ: every cause shown by generated validators and a handwritten one that nearly agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.strategies import error_lists, normalizations
from tests.mismatch.widgets import Told, knowledge, widget
from tests.tables import each
from validation_gen.mismatch.causes import DeclaredRule, Evidence, Explainer, Knowledge, depends_on
from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.outcome import Cause
from validation_gen.runtime.errors import ErrorType, FieldError

ALPHA = '+k8s:alpha(since: "1.36")='


def covered(error: FieldError, origin: str = "") -> FieldError:
    return error.with_origin(origin).covered_by_declarative()


@dataclass(frozen=True)
class Case:
    """A request and what is said of it, as `side: cause` for every mismatch.

    `text` is in the first explanation, `tag` the rule that is blamed. `informed` and `uninformed` say whether that
    holds with and without knowledge of the types.
    """

    fields: str
    handwritten: Sequence[FieldError]
    obj: Mapping[str, Any]
    said: Sequence[str]
    text: str
    tag: str = ""
    old: Mapping[str, Any] | None = None
    options: Mapping[str, bool] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    custom: str = ""
    informed: bool = True
    uninformed: bool = True


def string(*tags: str) -> str:
    return "".join(f"// {tag}\n" for tag in tags) + 'A string `json:"a"`'


LIST = f"// {ALPHA}+k8s:maxItems=1\n// {ALPHA}+k8s:eachVal=+k8s:maxLength=2\n// +k8s:listType=atomic\n"
LIST += 'A []string `json:"a"`'
UNION = "\n".join(f'// {ALPHA}+k8s:unionMember\n// +k8s:optional\n{n.upper()} *string `json:"{n}"`' for n in "ab")
ENUM = (
    'A E `json:"a"`\n}\n// +k8s:enum\ntype E string\nconst (\nEA E = "a"\n'
    '// +k8s:ifDisabled(X)=+k8s:enumExclude\nEB E = "b"\n)\ntype Other struct {\nX string `json:"x"`'
)
LIMITED = string(f"{ALPHA}+k8s:maxLength=2")
SWITCHED = string(f"{ALPHA}+k8s:ifEnabled(X)=+k8s:maxLength=2")

CASES = {
    "a check that no tag declares": Case(
        string(f"{ALPHA}+k8s:maxLength=9"),
        [covered(FieldError.invalid("a", "x", "must be even"), "even")],
        {"a": "x"},
        ["handwritten: rule missing"],
        "no tag declares",
    ),
    "a tag that nobody checks": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [],
        {"a": "xxx"},
        ["declarative: rule extra"],
        "no handwritten check",
        tag=f"{ALPHA}+k8s:maxLength=2",
    ),
    "a tag with another limit": Case(
        string(f"{ALPHA}+k8s:maxLength=9"),
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: rule differs"],
        "accepts this value",
        tag=f"{ALPHA}+k8s:maxLength=9",
        uninformed=False,
    ),
    "a tag that an empty value ends before": Case(
        string("+k8s:optional", f"{ALPHA}+k8s:minLength=3"),
        [covered(FieldError.too_short("a", "", 3), "minLength")],
        {"a": ""},
        ["handwritten: rule differs"],
        "accepts this value",
        uninformed=False,
    ),
    "nobody knows of what is declared": Case(
        string(f"{ALPHA}+k8s:maxLength=9"),
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: rule missing"],
        "or the one that does accepts this value",
        informed=False,
    ),
    "a name above": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [covered(FieldError.too_long("spec.a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: path differs", "declarative: path differs"],
        "is at `spec.a`, the tag's at `a`",
        tag=f"{ALPHA}+k8s:maxLength=2",
    ),
    "a place above": Case(
        UNION,
        [covered(FieldError.invalid("spec", "both", "one of them"), "union")],
        {"a": "x", "b": "y"},
        ["handwritten: path differs", "declarative: path differs"],
        "at `spec`, the tag's at `<nil>`",
        tag=f"{ALPHA}+k8s:unionMember",
    ),
    "an index for a key": Case(
        f'// {ALPHA}+k8s:eachVal=+k8s:maxLength=2\nA map[string]string `json:"a"`',
        [covered(FieldError.too_long("a[0]", 2), "maxLength")],
        {"a": {"k": "xxx"}},
        ["handwritten: path differs", "declarative: path differs"],
        "at `a[0]`, the tag's at `a[k]`",
    ),
    "the same type elsewhere, of another value": Case(
        string(f"{ALPHA}+k8s:minLength=3"),
        [covered(FieldError.too_short("b.a", "yy", 5), "minLength")],
        {"a": "x"},
        ["handwritten: rule missing", "declarative: rule extra"],
        "no tag declares",
    ),
    "of several that are near, the one at the place": Case(
        'B string `json:"b"`\n'
        + string(f"{ALPHA}+k8s:maxLength=2")
        + f'\n// {ALPHA}+k8s:maxLength=1\nC string `json:"c"`',
        [covered(FieldError.invalid("a", "xxx", "long"), "maxLength")],
        {"a": "xxx", "c": "yy"},
        ["handwritten: type differs", "declarative: type differs", "declarative: rule extra"],
        "has the type FieldValueInvalid, the tag's FieldValueTooLong",
        tag=f"{ALPHA}+k8s:maxLength=2",
    ),
    "of several that are near, the closest": Case(
        f'B Inner `json:"b"`\n// {ALPHA}+k8s:maximum=1\nA int32 `json:"a"`\n}}\n'
        f'type Inner struct {{\n// {ALPHA}+k8s:minimum=5\nA int32 `json:"a"`',
        [covered(FieldError.invalid("a", 3, "too small"), "minimum")],
        {"a": 3, "b": {"a": 3}},
        ["handwritten: origin differs", "declarative: path differs", "declarative: origin differs"],
        "has the origin `minimum`, the tag's `maximum`",
        tag=f"{ALPHA}+k8s:maximum=1",
    ),
    "a required value that is called invalid": Case(
        string(f"{ALPHA}+k8s:required"),
        [covered(FieldError.invalid("a", "", "must be set"))],
        {"a": ""},
        ["handwritten: type differs", "declarative: type differs"],
        "the tag's FieldValueRequired",
    ),
    "an invalid value of which nobody says why": Case(
        string(f"{ALPHA}+k8s:format=k8s-uuid"),
        [covered(FieldError.invalid("a", "x", "no UUID"))],
        {"a": "x"},
        ["handwritten: origin missing", "declarative: origin missing"],
        "its origin is `format=k8s-uuid`",
        tag=f'{ALPHA}+k8s:format="k8s-uuid"',
    ),
    "another name of the rule": Case(
        string(f"{ALPHA}+k8s:format=k8s-uuid"),
        [covered(FieldError.invalid("a", "x", "no UUID"), "format=uuid")],
        {"a": "x"},
        ["handwritten: origin differs", "declarative: origin differs"],
        "has the origin `format=uuid`, the tag's `format=k8s-uuid`",
    ),
    "a name where the tag has none": Case(
        string(f"{ALPHA}+k8s:required"),
        [covered(FieldError.required("a"), "required")],
        {"a": ""},
        ["handwritten: origin differs", "declarative: origin differs"],
        "has the origin `required`, the tag's none",
    ),
    "items of a list that is too long": Case(
        LIST,
        [covered(FieldError.too_many("a", 2, 1), "maxItems"), covered(FieldError.too_long("a[1]", 2), "maxLength")],
        {"a": ["x", "xxx"]},
        ["handwritten: hidden by a short-circuit"],
        "stopped at a, and",
        tag=f"{ALPHA}+k8s:maxItems=1",
    ),
    "another check of a value that is forbidden": Case(
        string(f"{ALPHA}+k8s:forbidden", f"{ALPHA}+k8s:maxLength=2"),
        [covered(FieldError.forbidden("a")), covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: hidden by a short-circuit"],
        "stopped there, and",
    ),
    "an error that says itself that it is hidden": Case(
        string(f"{ALPHA}+k8s:optional", f"{ALPHA}+k8s:minLength=1"),
        [covered(FieldError.too_short("a", "", 1), "minLength").short_circuited_in_declarative()],
        {"a": ""},
        ["handwritten: hidden by a short-circuit"],
        "says itself",
    ),
    "an update that leaves a bad value": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: ratcheted away"],
        "skips what has not changed",
        tag=f"{ALPHA}+k8s:maxLength=2",
        old={"a": "xxx"},
    ),
    "an update that leaves a bad value, and breaks a rule beside it": Case(
        string(f"{ALPHA}+k8s:maxLength=2") + f'\n// {ALPHA}+k8s:maxLength=1\nB string `json:"b"`',
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx", "b": "yy"},
        ["handwritten: ratcheted away", "declarative: rule extra"],
        "skips",
        old={"a": "xxx"},
    ),
    "an update that leaves a bad item, and adds one": Case(
        f'// +k8s:listType=set\n// {ALPHA}+k8s:eachVal=+k8s:maxLength=2\nA []string `json:"a"`',
        [covered(FieldError.too_long("a[0]", 2), "maxLength")],
        {"a": ["xxx", "yyy"]},
        ["handwritten: ratcheted away", "declarative: rule extra"],
        "skips",
        old={"a": ["xxx"]},
    ),
    "a switch that the handwritten check does not ask": Case(
        SWITCHED,
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: gated"],
        "only while the validation option X is on",
        tag='+k8s:ifEnabled("X")=+k8s:maxLength=2',
        options={"X": False},
    ),
    "a switch that only the tag asks": Case(
        SWITCHED,
        [],
        {"a": "xxx"},
        ["declarative: gated"],
        "holds as the validation option X is on",
        options={"X": True},
    ),
    "a switch of a value of an enum": Case(
        ENUM,
        [],
        {"a": "b"},
        ["declarative: gated"],
        "holds as the validation option X is off",
        options={"X": False},
        settings={"gates": FeatureGates("1.35")},
    ),
    "a switch that has nothing to do with it": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [],
        {"a": "xxx"},
        ["declarative: rule extra"],
        "no handw",
        options={"X": True},
    ),
    "a switch that the request does not define": Case(
        SWITCHED,
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: gated", "declarative: gated"],
        'undefined validation option "X"',
    ),
    "an error that nobody marked": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [FieldError.too_long("a", 2).with_origin("maxLength")],
        {"a": "xxx"},
        ["declarative: not marked as covered"],
        "is not marked",
        tag=f"{ALPHA}+k8s:maxLength=2",
    ),
    "an error that is marked only the second time": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [FieldError.too_long("a", 2).with_origin("maxLength"), covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["declarative: not marked as covered"],
        "is not marked",
    ),
    "a twin of a standard rule": Case(
        string("+k8s:maxLength=2"),
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: standard rule"],
        "delete the handwritten check",
        tag="+k8s:maxLength=2",
    ),
    "several errors for one, until 1.35": Case(
        string("+k8s:maxLength=2"),
        [covered(FieldError.too_long("a", 2), "maxLength"), covered(FieldError.too_long("a", 3), "maxLength")],
        {"a": "xxx"},
        ["handwritten: rule differs"],
        "reports one error where",
        settings={"gates": FeatureGates("1.35")},
    ),
    "a function that fails": Case(
        string("+k8s:customValidation"),
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: panic"],
        "failed before it could answer",
        custom="def ValidateCustom_Widget_A(value, old, op):\n    raise ValueError('out of order')\n",
    ),
    "a subresource without validators": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [covered(FieldError.too_long("a", 2), "maxLength")],
        {"a": "xxx"},
        ["handwritten: panic"],
        "could not answer: no validation found for *v1.Widget, subresource: /scale",
        request={"subresource": "/scale"},
    ),
    "a value that does not decode": Case(
        string(f"{ALPHA}+k8s:maxLength=2"),
        [covered(FieldError.invalid("a", 7, "must be text"), "maxLength")],
        {"a": 7},
        ["handwritten: type differs"],
        "does not decode, so that declarative validation did not judge it: a: Invalid value: 7: must be a string",
    ),
}


@each(
    ("name", "informed"),
    [
        pytest.param(name, informed, id=f"{name}-{'informed' if informed else 'uninformed'}")
        for name, case in CASES.items()
        for informed in (True, False)
        if (case.informed if informed else case.uninformed)
    ],
)
def test_the_cause_is(name: str, informed: bool) -> None:
    case = CASES[name]
    settings: dict[str, Any] = {"options": case.options, **case.settings}
    if informed:
        settings["knowledge"] = knowledge(case.fields, case.custom)
    told = Told(widget(case.fields, case.custom), lambda obj, old, op: list(case.handwritten), **settings)
    told.ask(case.obj, case.old, **case.request)
    records = [record.__dict__ for record in told.records if "side" in record.__dict__]
    assert [f"{record['side']}: {record['cause']}" for record in records] == list(case.said)
    assert case.text in records[0]["explanation"]
    if case.tag:
        assert case.tag in records[0]["tag"] or case.tag.removeprefix(ALPHA) in records[0]["tag"]
        assert records[0]["source"].startswith("example.com/shop/v1.Widget")


def test_every_cause_has_a_case() -> None:
    said = {each.partition(": ")[2] for case in CASES.values() for each in case.said}
    assert said == {cause.value for cause in Cause}


def test_a_missing_rule_is_told_where_the_field_is_declared() -> None:
    fields = string(f"{ALPHA}+k8s:maxLength=9")
    error = covered(FieldError.invalid("a", "x", "must be even"), "even")
    told = Told(widget(fields), lambda obj, old, op: [error], knowledge=knowledge(fields))
    told.ask({"a": "x"})
    assert told.records[0].__dict__["source"] == "example.com/shop/v1.Widget.a"


def test_a_handwritten_check_that_passes_over_what_is_old_is_asked_again() -> None:
    error = FieldError(ErrorType.TOO_LONG, "", "", "maxLength", ".a")
    error.level, error.tag = "alpha", "+k8s:maxLength=2"
    comparison = Comparison()
    (mismatch,) = comparison.mismatches([], [error])

    def handwritten_again(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        return [] if update else [covered(FieldError.too_long("a", 2), "maxLength")]

    evidence = Evidence([], [error], [error], [mismatch], True, {}, lambda update, options: [error], handwritten_again)
    assert Explainer(comparison).explain(mismatch, evidence).cause is Cause.RATCHETED


def test_a_side_that_fails_when_asked_again_says_nothing() -> None:
    error = covered(FieldError.too_long("a", 2), "maxLength")
    tagged = FieldError(ErrorType.TOO_LONG, "", "", "maxLength", ".b")
    tagged.level, tagged.tag = "alpha", '+k8s:ifEnabled("X")=+k8s:maxLength=2'
    comparison = Comparison()
    found = comparison.mismatches([error], [tagged])

    def fails(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        raise SystemExit

    evidence = Evidence([error], [tagged], [tagged], found, True, {"X": True}, fails, fails)
    causes = [Explainer(comparison).explain(mismatch, evidence).cause for mismatch in found]
    assert causes == [Cause.RULE_MISSING, Cause.RULE_EXTRA]


@pytest.mark.parametrize(
    ("tag", "depends"),
    [
        ('+k8s:ifEnabled("X")=+k8s:required', True),
        ('+k8s:alpha(since: "1.36")=+k8s:ifDisabled("X")=+k8s:required', True),
        ('+k8s:ifEnabled("XY")=+k8s:required', False),
        ("+k8s:maxItems=1", False),
        ("+k8s:enum", True),
    ],
)
def test_tags_depend_on_the_options_that_they_name(tag: str, depends: bool) -> None:
    assert depends_on(tag, "X") is depends


@given(
    handwritten=error_lists(),
    declarative=error_lists(),
    others=error_lists(),
    rules=normalizations(),
    flags=st.lists(st.booleans(), min_size=6, max_size=6),
    fails=st.booleans(),
)
def test_any_two_lists_are_compared_and_explained(
    handwritten: list[FieldError],
    declarative: list[FieldError],
    others: list[FieldError],
    rules: Any,
    flags: list[bool],
    fails: bool,
) -> None:
    comparison = Comparison(rules, flags[0], everything=flags[1], one_to_many=flags[2])

    def again(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        if fails:
            raise RecursionError
        return others if update else declarative

    known = DeclaredRule("+k8s:x", "types.go:1:1")
    rule = None if flags[3] else (lambda error: known if len(error.field) % 2 else None)
    explainer = Explainer(comparison, Knowledge(rule, lambda path: path, frozenset({"X"})))
    found = comparison.mismatches(handwritten, declarative, enforced=flags[4])
    evidence = Evidence(handwritten, declarative, declarative, found, flags[4], {"Y": True}, again, again, flags[5])
    for mismatch in found:
        explanation = explainer.explain(mismatch, evidence)
        assert explanation.text
        assert explanation.cause is Cause.PANIC or not flags[5]
