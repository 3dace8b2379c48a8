"""What an observed error says about declared ones, and what a report makes of it."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.commands.coverage import Allowance, Declared, Observed, Report, find_triggered_errors, is_package
from validation_gen.diagnostics import Span


def _rule(path: str, origin: str = "", version: str = "v1") -> Declared:
    place = (f"example.com/m/{version}", f"example.com/{version}", "T", path)
    return Declared(*place, "FieldValueInvalid", origin, "+k8s:x", Span("doc.go", 1, 1, 2))


@each(
    ("path", "observed"),
    [
        ("", "<nil>"),
        ("a", "a"),
        ("a.b", "a.b"),
        ("a[*]", "a[0]"),
        ("[*].a", "[12].a"),
        ("a[*].b[*]", "a[1].b[x]"),
        ("a[*][*]", "a[1][x]"),
        ("a[*]", "a[]"),
        ("a[*]", "a[x.y/z]"),
        ("a[*]", "a[x].b[y]"),
        ("a[*].b", "a[[0]].b"),
        ("a[*].b", "a[k]x.b[].b"),
        ("a[*].b", "a[]].b"),
        ("a[*]", "a[line\nline]"),
    ],
)
def test_indices_and_keys_do_not_matter(path: str, observed: str) -> None:
    rule = _rule(path)
    assert find_triggered_errors([rule], [Observed("T", observed, "FieldValueInvalid")]) == {rule}


@each(
    ("path", "observed"),
    [
        ("", "a"),
        ("a", "<nil>"),
        ("a", "ab"),
        ("a", "a.b"),
        ("a", "a[0]"),
        ("a[*]", "a"),
        ("a[*].b", "a[0].c"),
        ("a.b", "a-b"),
    ],
)
def test_other_paths_are_others(path: str, observed: str) -> None:
    assert not find_triggered_errors([_rule(path)], [Observed("T", observed, "FieldValueInvalid")])


def test_a_key_with_brackets_is_read_as_elements_if_it_can_be() -> None:
    short, long = _rule("a[*].b"), _rule("a[*].c[*].b")
    assert find_triggered_errors([short, long], [Observed("T", "a[x].c[0].b", "FieldValueInvalid")]) == {long}
    assert find_triggered_errors([short, long], [Observed("T", "a[[x]].c[0].b", "FieldValueInvalid")]) == {long}
    assert find_triggered_errors([short, long], [Observed("T", "a[x.c[0]].b", "FieldValueInvalid")]) == {short}


@each(
    "observed",
    [
        Observed("U", "a", "FieldValueInvalid", "minimum"),
        Observed("T", "a", "FieldValueRequired", "minimum"),
        Observed("T", "a", "FieldValueInvalid", "maximum"),
        Observed("T", "a", "FieldValueInvalid"),
        Observed("T", "a", "FieldValueInvalid", "minimum", package="m/v2"),
        Observed("T", "a", "FieldValueInvalid", "minimum", package="1"),
        Observed("T", "a", "FieldValueInvalid", "minimum", api_version="v1"),
    ],
)
def test_everything_else_must_be_the_same(observed: Observed) -> None:
    assert not find_triggered_errors([_rule("a", origin="minimum")], [observed])


def test_kinds_are_named_by_package_by_version_or_not_at_all() -> None:
    one, two = _rule("a"), _rule("a", version="v2")
    error = ("T", "a", "FieldValueInvalid", "")
    assert find_triggered_errors([one, two], [Observed(*error, package="example.com/m/v1")]) == {one}
    assert find_triggered_errors([one, two], [Observed(*error, package="m/v2/")]) == {two}
    assert find_triggered_errors([one, two], [Observed(*error, api_version="example.com/v2")]) == {two}
    assert find_triggered_errors([one, two], [Observed(*error)]) == {one, two}
    assert is_package("example.com/m/v1", "")
    assert not is_package("example.com/m/v1", "example.com/m")


# --- allowances ------------------------------------------------------------------------------------------------------


def _allow(kind: str = "T", path: str = "a", type: str = "FieldValueInvalid", origin: str = "minimum") -> Allowance:
    return Allowance(kind, path, type, origin, "because", Span("allow.yaml", 1, 3, 4))


@each(
    ("allowance", "matches"),
    [
        (_allow(), True),
        (_allow("*", "*", "*", "*"), True),
        (_allow("m/v1.T"), True),
        (_allow("example.com/m/v1.*"), True),
        (_allow("m/v2.T"), False),
        (_allow("U"), False),
        (_allow(path="<nil>"), False),
        (_allow(path="a[*]"), False),
        (_allow(type="FieldValueRequired"), False),
        (_allow(origin=""), False),
    ],
)
def test_what_an_allowance_matches(allowance: Allowance, matches: bool) -> None:
    assert allowance.matches(_rule("a", origin="minimum")) is matches


@pytest.mark.parametrize("path", ["<nil>", "", "*"])
def test_an_allowance_for_the_object_itself(path: str) -> None:
    assert _allow(path=path).matches(_rule("", origin="minimum"))


def test_a_report_has_all_parts() -> None:
    seen, allowed, missing = _rule("a"), _rule("b"), _rule("c")
    excuse, late, lost = (_allow(path=path, origin="*") for path in ("b", "a", "z"))
    report = Report.from_rules([seen, allowed, missing], {seen}, [excuse, late, lost])
    assert (report.triggered, report.allowed, report.missing) == ({seen}, {allowed: excuse}, [missing])
    assert [entry for entry, _ in report.stale] == [late, lost]
    assert [reason for _, reason in report.stale] == [
        "tests trigger all of its errors",
        "no tag declares such an error",
    ]


def test_of_two_allowances_both_are_needed() -> None:
    rule = _rule("a", origin="minimum")
    wide, narrow = _allow("*", "*", "*", "*"), _allow()
    report = Report.from_rules([rule], set(), [wide, narrow])
    assert report.allowed == {rule: wide}
    assert not report.stale
