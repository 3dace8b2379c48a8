"""`--target`: each release has its own tags, names and meanings."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen import rules
from validation_gen.compiler.pipeline import Result, Settings, build_program, load_validators
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST, RELEASES, Change, Stability, at_least, stability
from validation_gen.rules.spelling import former_names

Build = Callable[[str, str], Result]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    def run(fields: str, target: str) -> Result:
        (tmp_path / "types.go").write_text(f"package v1\n\ntype T struct {{\n{fields}\n}}\n", encoding="utf-8")
        return build_program(Settings((str(tmp_path),), target=target))

    return run


def messages(result: Result, obj: object, options: dict[str, bool] | None = None) -> list[str]:
    assert not result.diagnostics.has_errors, result.diagnostics.items
    return [str(e) for e in load_validators(result.program).validate(obj, type="T", options=options)]


def codes(result: Result) -> list[str]:
    return [f"{d.code} {d.severity.value} {d.message}" for d in result.diagnostics.sorted()]


@pytest.mark.parametrize(("target", "limit"), [("1.35", "3 bytes"), ("1.36", "3 characters"), (NEWEST, "3 characters")])
def test_max_length_counts_bytes_before_1_36(build: Build, target: str, limit: str) -> None:
    result = build('// +k8s:maxLength=3\nS string `json:"s"`', target)
    assert messages(result, {"s": "abcd"}) == [f"s: Too long: may not be more than {limit}"]
    too_many_bytes = messages(result, {"s": "äöü"})
    assert bool(too_many_bytes) == (target == "1.35")
    errors = load_validators(result.program).validate({"s": "abcd"}, type="T")
    assert errors[0].origin == "maxLength"


@pytest.mark.parametrize("target", RELEASES[2:])
def test_an_undefined_option_is_off_before_1_37(build: Build, target: str) -> None:
    result = build('// +k8s:ifDisabled(X)=+k8s:required\nS string `json:"s"`', target)
    if at_least(target, "1.37"):
        assert messages(result, {}) == ['s: Internal error: undefined validation option "X"']
    else:
        assert messages(result, {}) == ["s: Required value"]
    assert messages(result, {}, {"X": False}) == ["s: Required value"]
    assert messages(result, {}, {"X": True}) == []


def test_a_tag_of_a_later_release_is_refused(build: Build) -> None:
    result = build('// +k8s:minItems=1\nL []string `json:"l"`', "1.35")
    (found,) = result.diagnostics.sorted()
    assert (found.code, found.help) == ("VG105", "raise --target to 1.36")
    assert found.message.endswith(".T.l: +k8s:minItems exists since Kubernetes 1.36, not in 1.35")
    assert (found.span.line, found.span.column, found.span.end_column) == (4, 5, 17)


def test_a_chained_tag_of_a_later_release_is_refused(build: Build) -> None:
    result = build('// +k8s:eachVal=+k8s:maximum=1\nL []int32 `json:"l"`', "1.35")
    (found,) = result.diagnostics.sorted()
    assert found.code == "VG105"
    assert found.span.column == 18


@pytest.mark.parametrize("target", ["1.36", NEWEST])
def test_former_names_work_on_and_are_pointed_out_when_they_are_gone(build: Build, target: str) -> None:
    fields = """
        // +k8s:discriminator(union: "u")
        D string `json:"d"`
        // +k8s:member(value: "A", union: "u")=+k8s:required
        S string `json:"s"`
    """
    result = build(fields, target)
    assert messages(result, {"d": "A"}) == ["s: Required value"]
    assert messages(result, {"d": "B", "s": "x"}) == ["s: Forbidden"]
    renamed = [c.rpartition(": ")[2] for c in codes(result)]
    if target == NEWEST:
        assert renamed == [
            "+k8s:discriminator has been renamed to +k8s:modeDiscriminator",
            "+k8s:member has been renamed to +k8s:ifMode",
        ]
    else:
        assert renamed == []


def test_a_new_name_is_refused_where_the_release_has_the_old_one(build: Build) -> None:
    result = build('// +k8s:modeDiscriminator\nD string `json:"d"`', "1.36")
    (found,) = result.diagnostics.sorted()
    assert found.message.endswith("+k8s:modeDiscriminator is called +k8s:discriminator in Kubernetes 1.36")
    assert found.help == "write +k8s:discriminator, or raise --target"


def test_a_former_name_is_refused_before_it_existed(build: Build) -> None:
    result = build('// +k8s:discriminator\nD string `json:"d"`', "1.35")
    (found,) = result.diagnostics.sorted()
    assert found.message.endswith("+k8s:discriminator exists since Kubernetes 1.36, not in 1.35")


def test_advice_has_the_names_of_the_target(build: Build) -> None:
    fields = """
        // +k8s:discriminatr
        // +k8s:required
        D string `json:"d"`
        // +k8s:member=+k8s:required
        // +k8s:eachVal=+k8s:membr
        L []string `json:"l"`
    """
    assert [d.help for d in build(fields, "1.36").diagnostics.sorted()] == [
        "did you mean +k8s:discriminator?",
        'for example: +k8s:member("Static")=+k8s:required',
        "did you mean +k8s:member?",
    ]


def test_options_had_another_name_before_1_35(build: Build) -> None:
    result = build('// +k8s:ifOptionEnabled(X)=+k8s:required\nS string `json:"s"`', "1.34")
    assert codes(result) == []
    assert messages(result, {}, {"X": True}) == ["s: Required value"]
    assert messages(result, {}) == []


@each(
    ("tag", "levels"),
    [
        ("k8s:required", ["Beta", "Beta", "Beta", "Stable", "Stable"]),
        ("k8s:eachVal", ["Alpha", "Alpha", "Alpha", "Alpha", "Stable"]),
        ("k8s:immutable", ["Alpha", "Alpha", "Alpha", "Beta", "Stable"]),
        ("k8s:item", [None, "Alpha", "Alpha", "Stable", "Stable"]),
        ("k8s:maxLength", [None, None, "Beta", "Beta", "Stable"]),
        ("k8s:monotonic", [None, None, None, None, "Alpha"]),
        ("k8s:alpha", [None, None, None, "Beta", "Beta"]),
    ],
)
def test_stability_by_release(tag: str, levels: list[str | None]) -> None:
    history = catalogue()[tag].history
    found = [stability(history, release) for release in RELEASES if not at_least(release, "1.38")]
    assert [level.value if level else None for level in found] == levels


def test_histories_are_in_order_and_never_become_less_stable() -> None:
    for rule in catalogue().values():
        releases = list(rule.history)
        assert releases == sorted(releases, key=RELEASES.index), rule.name
        assert list(rule.history.values()) == sorted(rule.history.values()), rule.name
        assert len(set(rule.history.values())) == len(rule.history), rule.name


def test_former_names_are_nobodys_present_name() -> None:
    assert not set(former_names()) & set(catalogue())


def test_stabilities_are_ordered() -> None:
    assert Stability.ALPHA < Stability.BETA < Stability.STABLE


def test_what_depends_on_the_target_is_declared() -> None:
    """Conditions of their own would be known to nobody who asks what a release makes of a tag."""
    declared = {change for rule in catalogue().values() for change in rule.changes}
    for file in Path(rules.__path__[0]).glob("*.py"):
        if file.stem not in ("releases", "base", "spelling"):
            assert "at_least(" not in file.read_text(encoding="utf-8"), file.name
            module = importlib.import_module(f"{rules.__name__}.{file.stem}")
            assert {value for value in vars(module).values() if isinstance(value, Change)} <= declared
    for rule in catalogue().values():
        assert {value for value in vars(type(rule)).values() if isinstance(value, Change)} <= set(rule.changes)
