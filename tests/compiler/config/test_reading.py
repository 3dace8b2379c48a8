"""What a configuration says, command by command, and everything that can be wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compiler.config.reading import read, values
from validation_gen.cli.option_schema import section_names, sections
from validation_gen.compiler.config import Config, read_config
from validation_gen.compiler.config.keys import COMMON, output_options
from validation_gen.compiler.emitters import EMITTERS
from validation_gen.diagnostics import Diagnostics

TEXT = """\
inputs = ["apis", "extra/types.go"]
target = "1.36"
format = "concise"
readonly-pkg = ["example.com/other/..."]

[modules]
"example.com/other" = "../other"

[options]
Feature = true
Gone = false

[outputs]
python = "out"
crd = "manifests"

[generate]
lint = false
target = "1.35"

[compare]
jobs = 2
timeout = 5
handwritten = "python:checks/all.py:validate"

[crd-lint]
inputs = ["manifests"]
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.chdir(tmp_path)
    found, problems = read(tmp_path, TEXT)
    assert problems == []
    return found


def test_a_table_of_a_command_wins_over_the_top(config: Config) -> None:
    assert values(config, "generate") == {
        "inputs": ["apis", "extra/types.go"],
        "target": "1.35",
        "format": "concise",
        "readonly-pkg": ["example.com/other/..."],
        "modules": ["example.com/other=../other"],
        "options": ["Feature=true", "Gone=false"],
        "output-dir": "out",
        "lint": False,
    }
    assert values(config, "webhook-stdio")["target"] == "1.36"


def test_a_command_gets_what_it_has(config: Config) -> None:
    assert values(config, "webhook-stdio").keys() == {"inputs", "target", "readonly-pkg", "modules"}  # it has no format
    assert values(config, "crd")["output-dir"] == "manifests"
    assert values(config, "crd")["options"] == ["Feature=true", "Gone=false"]
    # Its inputs are no manifests.
    assert values(config, "crd-lint") == {"inputs": ["manifests"], "format": "concise", "target": "1.36"}
    assert values(config, "compare")["handwritten"] == "python:checks/all.py:validate"
    assert values(config, "compare")["timeout"] == 5


def test_paths_belong_to_the_directory_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    text = TEXT.replace('"extra/types.go"', '"/etc/types.go", "./apis/...", "~/x"')
    config, problems = read(tmp_path, text)
    assert problems == []
    up = Path("..", "..")
    assert read_config(Path.cwd(), Diagnostics(), sections()) == config
    assert values(config, "generate")["inputs"] == [
        str(up / "apis"),
        "/etc/types.go",
        str(up / "apis" / "..."),
        str(Path("~/x").expanduser()),
    ]
    assert values(config, "generate")["modules"] == [f"example.com/other={up / '..' / 'other'}"]
    assert values(config, "generate")["output-dir"] == str(up / "out")
    assert values(config, "compare")["handwritten"] == f"python:{up / 'checks' / 'all.py'}:validate"


def test_settings_know_their_lines(config: Config) -> None:
    found = config.find_settings(sections().load("generate"))
    assert {name: found[name].span.line for name in ("inputs", "target", "output-dir", "lint")} == {
        "inputs": 1,
        "target": 19,
        "output-dir": 14,
        "lint": 18,
    }


def test_a_pyproject_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "[project]\nname = 'x'\n[tool.validation-gen]\ninputs = ['apis']\n[tool.validation-gen.generate]\nlint = true\n"
    )
    config, problems = read(tmp_path, text, "pyproject.toml")
    assert problems == []
    assert values(config, "generate") == {"inputs": ["apis"], "lint": True}


def test_two_files_in_one_directory(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n# validation-gen\n")
    assert read(tmp_path, 'inputs = ["a"]')[1] == []
    (tmp_path / "pyproject.toml").write_text("[tool.validation-gen]\n")
    (found,) = read(tmp_path, 'inputs = ["a"]')[1]
    assert "validation-gen.toml" in found.message
    assert "pyproject.toml" in found.message
    assert found.span.line == 1


def test_the_nearest_file_counts_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(tmp_path, 'target = "1.34"')
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    config, _ = read(inner, "quiet = true")
    assert values(config, "generate") == {"quiet": True}


@pytest.mark.parametrize(
    ("text", "line", "marked", "said", "help"),
    [
        ('input = ["a"]', 1, "input", "no key input", "did you mean inputs?"),
        ('tagret = "1.36"', 1, "tagret", "no key tagret", "did you mean target?"),
        ("module = {}", 1, "module", "no key module", "did you mean modules?"),
        ("alpha = true", 1, "alpha", "no key alpha", 'write level = "alpha", or level = "standard"'),
        ("[validate]\nbeta = false", 2, "beta", "validate has no key beta", 'write level = "beta", or level'),
        ("[apply]\nstrict-kinds = true", 2, "strict-kinds", "apply has no key strict-kinds", ""),
        ('output-dir = "x"', 1, "output-dir", "no key output-dir", "table of a command: generate"),
        ("zzzzzzzz = 1", 1, "zzzzzzzz", "no key zzzzzzzz", "policies, suppressions, generate, validate"),
        ("[genrate]\nlint = true", 1, "genrate", "no key genrate", "did you mean generate?"),
        ("[generate]\nlimt = true", 2, "limt", "generate has no key limt", "did you mean lint?"),
        ("[generate]\ncheck = true", 2, "check", "generate has no key check", ""),
        ("generate = 1", 1, "generate", "takes a table", ""),
        ('inputs = "apis"', 1, '"apis"', "takes an array", 'inputs = ["apis"]'),
        ("inputs = [1]", 1, "1", "an integer, and takes a string", '"…"'),
        ('inputs = [\n  "a",\n  "",\n]', 3, '""', "empty path", '"."'),
        ('inputs = ["a\\u0000"]', 1, '"a\\u0000"', "NUL", "remove"),
        ('target = "1.63"', 1, '"1.63"', 'cannot be "1.63"', "did you mean"),
        ("target = 1.36", 1, "1.36", "a float, and takes a string", '"1.36"'),
        ('format = "sarf"', 1, '"sarf"', 'cannot be "sarf"', ""),
        ('quiet = "yes"', 1, '"yes"', "takes true or false", "true"),
        ("quiet = 1", 1, "1", "takes true or false", "true"),
        ("max-description = true", 1, "true", "a boolean, and takes an integer", "1"),
        ("max-description = -1", 1, "-1", "at least 0", "0 or more"),
        ("[compare]\ntimeout = nan", 2, "nan", "finite", ""),
        ("[compare]\njobs = 1.5", 2, "1.5", "takes an integer", ""),
        ("modules = []", 1, "[]", "takes a table", "example.com"),
        ('[modules]\n"a=b" = "c"', 2, '"a=b"', "name", "without ="),
        ("[modules]\na = 1", 2, "1", "modules.a is an integer", ""),
        ('[options]\nA = "true"', 2, '"true"', "options.A is a string, and takes true or false", "true"),
        ('[outputs]\npyton = "x"', 2, "pyton", "no key pyton", "did you mean python?"),
        ("[outputs]\npython = 1", 2, "1", "takes a string", ""),
        ("outputs = 1", 1, "outputs", "takes a table", ""),
        ('emit = ["harnes"]', 1, '"harnes"', 'cannot be "harnes"', "did you mean harness?"),
        ("target = 1979-05-27", 1, "1979-05-27", "a date or a time", ""),
        ("lint = true", 1, "lint", "takes a table", "VG411"),
        ('[lint]\nVG999 = "off"', 2, "VG999", "no lint rule VG999", "explain"),
        ('[lint]\nVG201 = "off"', 2, '"off"', "VG201 is off without a reason", "reason = "),
        ('[lint.VG201]\nlevel = "off"\nreason = " "', 2, '"off"', "VG201 is off without a reason", "reason = "),
        ('[lint.VG201]\nreason = "why"', 1, "VG201", "VG201 names no level", "level = "),
        ('[lint.VG201]\nlevel = "off"\nreason = 1', 3, "1", "the reason is an integer", "reason = "),
        ('[lint.VG411]\nlevel = "off"\nreasons = "x"', 3, "reasons", "a level has no reasons", "reason = "),
        ('[lint]\nVG901 = "warning"', 2, "VG901", "VG901 is about the run itself", "remove"),
        ('[lint]\nvg411 = "off"', 2, "vg411", "no lint rule vg411", "did you mean VG411?"),
        (
            '[lint]\nenum-without-constant = "off"',
            2,
            "enum-without-constant",
            "no lint rule",
            "enum-without-constants?",
        ),
        ('[lint]\nVG411 = "of"', 2, '"of"', 'no level "of"', "did you mean off?"),
        ("[lint]\nVG411 = false", 2, "false", "is a boolean", '"off"'),
        (
            '[lint]\nVG406 = "off"\nenum-without-constants = "error"',
            3,
            "enum-without-constants",
            "another level",
            "remove",
        ),
        ("suppressions = 1", 1, "suppressions", "array of tables", "[[suppressions]]"),
        ("suppressions = [1]", 1, "1", "must be a table", "[[suppressions]]"),
        ('[[suppressions]]\ncodes = ["VG411"]', 1, "suppressions", "names no files", ""),
        ('[[suppressions]]\nfiles = ["a"]', 1, "suppressions", "names no codes", ""),
        ('[[suppressions]]\ncodes = "VG411"\nfiles = ["a"]', 2, '"VG411"', "no array of strings", '["VG411"]'),
        ('[[suppressions]]\ncodes = ["VG498"]\nfiles = ["a"]', 2, '"VG498"', "no lint rule VG498", ""),
        ('[[suppressions]]\ncodes = ["VG411"]\nfiles = ["a"]\nreasons = ""', 4, "reasons", "no reasons", "reason?"),
        ('[[suppressions]]\ncodes = ["VG411"]\nfiles = ["a"]\nreason = 1', 4, "1", "an integer", "…"),
        ("a = ", 1, "", "not TOML", "fix the file"),
        ("\n[a\n", 2, "", "not TOML", "fix the file"),
        ('a = "b\n', 1, "", "not TOML", "fix the file"),
    ],
    ids=str,
)
def test_mistakes(tmp_path: Path, text: str, line: int, marked: str, said: str, help: str) -> None:
    _, problems = read(tmp_path, text)
    (found,) = problems
    assert found.code == "VG906"
    assert said in found.message
    assert help in found.help
    assert found.help
    assert found.span.line == line
    assert found.span.column
    if marked:
        written = text.split("\n")[line - 1]
        assert written[found.span.column - 1 : found.span.end_column - 1] == marked


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    _, problems = read(tmp_path, 'target = 1\n[generate]\nx = 1\n[compare]\njobs = "a"\n[lint]\nVG411 = 1\n')
    assert [problem.span.line for problem in problems] == [1, 3, 5, 7]


def test_every_common_key_and_every_output_belongs_to_a_command() -> None:
    for name in COMMON:
        assert list(sections().with_key(name)), name
    for name, (section, option) in output_options().items():
        # What no command of its own writes is written by `generate`, into the place that `outputs` names.
        assert EMITTERS[name].help or sections().load(section).keys[option].path


def test_every_command_has_its_words() -> None:
    assert {"generate", "crd", "crd-lint", "compare"} <= set(section_names())
    assert not {"config", "config-init", "explain", "crd-test-conversion"} & set(section_names())


_WORDS = st.sampled_from(
    [*COMMON, *section_names(), "outputs", "lint", "suppressions", "handwritten", "codes", "files", "VG411", "", "é"]
)
_VALUES = st.sampled_from(
    ['"x"', '""', "1", "-1", "1.5", "true", "[]", '["a"]', "[1]", "{}", '{a = "b"}', "{a = true}", "inf", "12:00:00"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["{k} = {v}", "[{k}]", "[[{k}]]", "[{k}.{k}]"]), _WORDS, _VALUES), max_size=6)
)
def test_nothing_raises(tmp_path: Path, lines: list[tuple[str, str, str]]) -> None:
    text = "\n".join(form.replace("{k}", f'"{name}"').replace("{v}", value) for form, name, value in lines)
    config, problems = read(tmp_path, text)
    assert all(problem.code == "VG906" and problem.help and problem.span.line for problem in problems)
    for name in section_names():
        config.find_settings(sections().load(name))
