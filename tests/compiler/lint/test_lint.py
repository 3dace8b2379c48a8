from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.case_folders import ROOT, Case, inside
from tests.compiler.lint.sources import linted, written
from validation_gen.compiler.lint import lint_rules
from validation_gen.compiler.lint.survey import LintRule, register
from validation_gen.compiler.lint.unselected_types import report_stray
from validation_gen.diagnostics import CODES, Diagnostics, Severity, Span
from validation_gen.sources.reader import read_universe

CASES = [Case(path) for path in sorted((ROOT / "testdata" / "lint").iterdir()) if path.is_dir()]
RULES = list(lint_rules().values())
#: Findings about comments that ignore findings; they belong to no rule.
OF_SUPPRESSIONS = {"VG498": "suppression-without-reason", "VG499": "idle-suppression"}

each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Case) -> None:
    wanted, found = case.wanted_diagnostics(), linted(case.path)
    missing = [want for want in wanted if not any(want.matches(d) for d in found)]
    surplus = [d for d in found if not any(want.matches(d) for want in wanted)]
    lines = [f"- {want}" for want in missing] + [f"+ {d.span}: {d.code} {d.message} ({d.help})" for d in surplus]
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)
    assert len(found) == len(wanted), "an annotation stands for one diagnostic"


@pytest.mark.parametrize(
    ("code", "name"), [*((rule.code, rule.name) for rule in RULES), *OF_SUPPRESSIONS.items()], ids=lambda text: text
)
def test_a_case_shows_findings_and_none_side_by_side(code: str, name: str) -> None:
    case = next((case for case in CASES if case.name == f"{code.lower()}-{name}"), None)
    assert case is not None, f"{code} has no folder in testdata/lint"
    assert any(want.code == code for want in case.wanted_diagnostics())
    text = "".join(file.read_text(encoding="utf-8") for file in case.path.rglob("*.go"))
    assert re.search(r"^type Good", text, re.MULTILINE)
    assert not [d for d in linted(case.path) if re.search(r"\.Good\w*(\.|:)", d.message)]


@each_rule
def test_the_example_breaks_the_rule_and_no_other(rule: LintRule, tmp_path: Path) -> None:
    found = linted(written(tmp_path, rule.example))
    assert [(d.code, d.severity) for d in found] == [(rule.code, rule.severity)]
    assert found[0].help


@each_rule
def test_the_fix_breaks_no_rule(rule: LintRule, tmp_path: Path) -> None:
    assert linted(written(tmp_path, rule.fix)) == []


@each_rule
def test_a_rule_says_what_it_is_for(rule: LintRule) -> None:
    assert re.fullmatch(r"VG4\d\d", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert CODES[rule.code]
    assert rule.reason[0].isupper()
    assert rule.reason.endswith(".")
    assert rule.reason.count(". ") == 0, "one sentence is enough"
    assert rule.example.strip() != rule.fix.strip()


def test_every_code_belongs_to_a_rule() -> None:
    codes = {code for code in CODES if code.startswith("VG4")}
    assert codes == set(lint_rules()) | set(OF_SUPPRESSIONS)


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_code_cannot_be_taken_twice() -> None:
    with pytest.raises(ValueError, match=r"VG401 is registered twice"):
        register(type(lint_rules()["VG401"]))


def test_strict_makes_errors_of_what_upstream_refuses(tmp_path: Path) -> None:
    for rule in RULES:
        directory = written(tmp_path / rule.code, rule.example)
        wanted = Severity.ERROR if rule.code in ("VG401", "VG402", "VG403") else Severity.WARNING
        assert [d.severity for d in linted(directory, strict=True)] == [wanted], rule.code


def test_the_order_is_always_the_same() -> None:
    for case in CASES:
        assert linted(case.path) == linted(case.path)


def test_the_sample_api_is_clean() -> None:
    for target in ("1.35", "1.37"):
        assert linted(ROOT / "testdata" / "apis", target=target) == []


def test_stability_is_that_of_the_target(tmp_path: Path) -> None:
    written(
        tmp_path,
        """
        type Robot struct {
            // +k8s:optional
            // +k8s:maxLength=4
            Name string `json:"name,omitempty"`
        }
        """,
    )
    assert linted(tmp_path, target="1.37") == []
    assert [d.code for d in linted(tmp_path, target="1.36")] == ["VG402"]
    assert linted(tmp_path, target="1.35") == [], "before there were levels nothing could be done about it"


def test_limits_of_durations_are_compared(tmp_path: Path) -> None:
    written(
        tmp_path,
        """
        import "time"

        type Robot struct {
            // +k8s:optional
            // +k8s:minimum="90m"
            // +k8s:maximum="1h"
            Wait time.Duration `json:"wait,omitempty"`
            // +k8s:optional
            // +k8s:minimum="-90m"
            // +k8s:maximum="1h"
            Past time.Duration `json:"past,omitempty"`
        }
        """,
    )
    assert [(d.code, "wait" in d.message) for d in linted(tmp_path, target="1.38")] == [("VG404", True)]


def test_messages_have_the_name_of_the_target(tmp_path: Path) -> None:
    written(
        tmp_path,
        """
        type Robot struct {
            // +k8s:alpha=+k8s:required
            // +k8s:alpha=+k8s:discriminator
            Mode string `json:"mode"`
            // +k8s:alpha=+k8s:optional
            // +k8s:member("Arm")=+k8s:required
            Arm *string `json:"arm,omitempty"`
        }
        """,
    )
    (found,) = linted(tmp_path, target="1.36")
    assert found.message.endswith('tag "k8s:member" with stability level "Alpha" cannot be used in Stable validation')
    assert found.help == 'put the level first: +k8s:alpha=+k8s:member("Arm")=+k8s:required'


def test_a_contradiction_names_both_places(tmp_path: Path) -> None:
    written(
        tmp_path,
        """
        type Robot struct {
            // +k8s:required
            // +k8s:minimum=6
            // +k8s:maximum=2
            Wheels int32 `json:"wheels"`
        }
        """,
    )
    (found,) = linted(tmp_path)
    assert found.span == Span("v1/types.go", 5, 8, 22)
    assert found.notes == (("the other limit is here", Span("v1/types.go", 6, 8, 22)),)


def test_only_types_of_the_input_are_looked_at(tmp_path: Path) -> None:
    written(tmp_path, 'type Robot struct {\n\t// +k8s:required\n\tFast bool `json:"fast"`\n}\n')
    (tmp_path / "use").mkdir()
    (tmp_path / "use" / "types.go").write_text(
        'package use\n\nimport "example.com/m/v1"\n\ntype User struct {\n\tRobot v1.Robot `json:"robot"`\n}\n',
        encoding="utf-8",
    )
    assert [d.code for d in linted(tmp_path)] == ["VG411"]
    assert linted(tmp_path / "use") == []


@pytest.mark.parametrize(
    "text",
    [
        "type A struct {\n\t// +k8s:eachVal=+k8s:eachVal=+k8s:immutable\n\tA [][]string\n}",
        "type A struct {\n\t// +k8s:subfield(x)=+k8s:eachVal=+k8s:item(y: 1)=+k8s:required\n\tA string\n}",
        "type A struct {\n\t// +k8s:eachVal=+k8s:subfield(x)=+k8s:nope\n\tA []*A\n}",
        "type A struct {\n\t// +k8s:unionMember\n\t// +k8s:enum\n\tA Nowhere\n}",
        "// +k8s:unionMember\n// +k8s:minimum=x\n// +k8s:maximum\ntype A int",
        "// +k8s:ifMode=+k8s:ifEnabled=+k8s:required\ntype A = struct{}",
    ],
)
def test_odd_sources_raise_nothing(text: str, tmp_path: Path) -> None:
    linted(written(tmp_path, text))


def test_boolean_modes_and_options_cover_all_requests(tmp_path: Path) -> None:
    written(
        tmp_path,
        """
        type Arm struct {
            // +k8s:required
            Name string `json:"name"`
        }

        type Robot struct {
            // +k8s:optional
            // +k8s:modeDiscriminator
            Armed bool `json:"armed,omitempty"`
            // +k8s:ifMode("true")=+k8s:required
            // +k8s:ifMode("false")=+k8s:optional
            Arm *Arm `json:"arm,omitempty"`
        }

        type Switched struct {
            // +k8s:required
            // +k8s:modeDiscriminator
            Power string `json:"power"`
            // +k8s:ifMode("on")=+k8s:required
            // +k8s:ifMode("off")=+k8s:optional
            Arm *Arm `json:"arm,omitempty"`
        }
        """,
    )
    (found,) = linted(tmp_path)
    assert (found.code, found.help) == ("VG413", "say it for the other requests too: +k8s:optional")
    assert ".Switched.arm" in found.message


def test_a_tag_behind_a_field_is_read_with_the_next_one(tmp_path: Path) -> None:
    text = """
    type Robot struct {
        Name string `json:"name"` // +k8s:optional
        // Model has this comment for itself.
        Model string `json:"model"` // +k8s:optional # behind
        Maker string `json:"maker"`
    }
    """
    diagnostics = Diagnostics()
    with inside(written(tmp_path, text)):
        report_stray(read_universe(["."], diagnostics), diagnostics)
    assert [(d.span.line, d.message.partition(": ")[2]) for d in diagnostics.sorted()] == [
        (4, "+k8s:optional belongs to no declaration, so it has no effect"),
        (6, "+k8s:optional is behind the line above, but belongs to this"),
    ]


def test_names_of_types_that_are_embedded_again_and_again(tmp_path: Path) -> None:
    """Each type embeds both of the next level: Go looks at each once, however deep it is."""
    names = [[f"L{level}x{n}" for n in range(2)] for level in range(11)]
    text = 'type Top struct {\n\t// +k8s:required\n\tKind string `json:"kind"`\n'
    text += "".join(f"\t{name}\n" for name in names[0]) + "}\n"
    for here, there in zip(names, [*names[1:], []], strict=True):
        for name in here:
            embedded = "".join(f"\t{each}\n" for each in there) or '\tA string `json:"a"`\n'
            text += f"type {name} struct {{\n{embedded}}}\n"
    found = [d.message for d in linted(written(tmp_path, text)) if d.code == "VG424" and d.span.line < 10]
    wanted = "the JSON name a is given twice at one depth, so Go decodes neither of the two fields"
    assert found == [f"example.com/m/v1.Top: {wanted}"]


def test_names_below_a_type_that_is_embedded_twice(tmp_path: Path) -> None:
    """Go looks at such a type once, and so finds what it embeds once."""
    text = 'type Top struct {\n\t// +k8s:required\n\tKind string `json:"kind"`\n\tP\n\tQ\n}\n'
    text += "".join(f"type {outer} struct {{\n\t{inner}\n}}\n" for outer, inner in ("PA", "QA", "AB"))
    text += 'type B struct {\n\tN string `json:"n"`\n}\n'
    assert [d.message for d in linted(written(tmp_path, text)) if d.code == "VG424"] == []
