"""Files of formats: mistakes with their positions, limits, and tests that fail."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.diagnostics import Diagnostics
from validation_gen.rules.formats import FORMATS
from validation_gen.sources.extensions import Extensions, check_samples, read_extensions


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(*texts: str) -> tuple[Extensions, list[str]]:
    """Reads files `0.yaml`, `1.yaml` … of these texts; returns the formats and the findings."""
    for number, text in enumerate(texts):
        Path(f"{number}.yaml").write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    found = read_extensions([f"{number}.yaml" for number in range(len(texts))], diagnostics, FORMATS.__contains__)
    return found, [f"{d.span}: {d.code} {d.message}" for d in diagnostics.items]


def declared(**keys: str) -> str:
    """Declares one format with these keys, as YAML, instead of those of a good one."""
    keys = {"name": "robot-a", "docs": "a name", "pattern": "'^a$'", "message": "must be a", **keys}
    return "formats:\n- {" + ", ".join(f"{name}: {text}" for name, text in keys.items() if text) + "}\n"


def test_formats_of_several_files_and_documents() -> None:
    two = f"{declared(name='robot-b')}---\n{declared(name='robot-c', valid='[a]', invalid='[b, 2x]')}"
    found, findings = read(declared(), two, "# nothing\n", "formats: []\n")
    assert findings == []
    assert list(found.formats) == ["robot-a", "robot-b", "robot-c"]
    own = found.formats["robot-c"]
    assert (own.origin, own.pattern, own.message, str(own.span)) == (
        "format=robot-c",
        "^a$",
        "must be a",
        "1.yaml:5:10",
    )
    assert [sample.text for sample in (*own.valid, *own.invalid)] == ["a", "b", "2x"]


@each(
    ("keys", "finding"),
    [
        (
            {"name": "k8s-short-name"},
            '2:10: VG207 formats[0] ("k8s-short-name"): "k8s-short-name" is a built-in format',
        ),
        (
            {"name": "k8s-new"},
            '2:10: VG207 formats[0] ("k8s-new"): name "k8s-new" cannot use the reserved "k8s-" prefix',
        ),
        ({"name": "k8s"}, 'name "k8s" cannot use the reserved "k8s-" prefix'),
        ({"name": "Robot_A"}, "name must be lower-case alphanumerics with dashes between words, matching "),
        ({"name": "a--b"}, 'matching "^[a-z0-9]+(-[a-z0-9]+)*$"'),
        ({"name": ""}, "2:3: VG207 formats[0]: name is required"),
        ({"name": "5"}, "2:10: VG207 formats[0]: name must be a string"),
        ({"docs": ""}, '2:3: VG207 formats[0] ("robot-a"): docs is required'),
        ({"docs": "''"}, 'formats[0] ("robot-a"): docs is required'),
        ({"docs": "' '"}, '2:25: VG207 formats[0] ("robot-a"): docs is required'),
        ({"message": "'  '"}, '2:58: VG207 formats[0] ("robot-a"): message is required, so that errors explain'),
        ({"message": '"must\\nbe a"'}, '2:58: VG207 formats[0] ("robot-a"): message must not contain line breaks'),
        ({"message": '"must be a\\r"'}, "message must not contain line breaks"),
        ({"pattern": "' '"}, ""),
        ({"message": ""}, "message is required, so that errors explain the rule instead of printing the pattern"),
        ({"pattern": ""}, 'formats[0] ("robot-a"): pattern is required'),
        ({"pattern": "'[a'"}, 'pattern "[a" does not compile: error parsing regexp: missing closing ]: `[a`'),
        ({"pattern": "'(?=a)'"}, "does not compile: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"),
        ({"pattern": "'(a|b|c|d){1000}'"}, ""),
        ({"pattern": "'((a|b)(c|d)(e|f)(g|h)(i|j)(k|l)(m|n)){1000}'"}, "has too many states to run here"),
        ({"pattern": "5"}, 'formats[0] ("robot-a"): pattern must be a string'),
        ({"pattern": "'" + "a" * 4097 + "'"}, "pattern has 4,097 characters, more than 4,096"),
        ({"patern": "x"}, 'formats[0] ("robot-a"): unknown field "patern"'),
        ({"valid": "a"}, 'formats[0] ("robot-a"): valid must be a list'),
        ({"invalid": "[b, 1]"}, 'formats[0] ("robot-a"): invalid[1] must be a string'),
        ({"valid": "[" + "a," * 1001 + "]"}, "valid has more than 1,000 texts"),
    ],
)
def test_wrong_formats(keys: dict[str, str], finding: str) -> None:
    found, findings = read(declared(**keys))
    assert [finding in each for each in findings] == ([True] if finding else [])
    assert all(own.is_sound is not bool(finding) for own in found.formats.values())


@each(
    ("text", "finding"),
    [
        ("[]", "1:1: VG207 the document must be a mapping"),
        ("formats: {a: b}", "1:1: VG207 formats must be a list"),
        ("formats: [7]", "1:11: VG207 formats[0] must be a mapping"),
        ("rules: []", 'unknown field "rules"'),
        ("formats: [", "VG905"),
        ("formats: " + "[" * 3000, "VG905 nested deeper than 1000 levels"),
        ("\x00", "VG905"),
        ("formats:\n\t- a", "VG905"),
        (
            "a: &a [1,1,1,1,1,1,1,1,1]\n"
            + "".join(f"{n}: &{n} [{','.join([f'*{o}'] * 9)}]\n" for o, n in zip("abcdefg", "bcdefgh", strict=True)),
            "VG905 the document repeats too much by aliases",
        ),
    ],
    ids=ascii,
)
def test_wrong_files(text: str, finding: str) -> None:
    found, findings = read(text)
    assert any(finding in each for each in findings), findings
    assert found.formats == {}
    assert found.is_whole is ("rules" in text or "7" in text)


def test_names_are_declared_once() -> None:
    _, findings = read(declared(), f"{declared(name='robot-b')}{declared().removeprefix('formats:').strip()}\n")
    assert findings == ['1.yaml:3:10: VG207 formats[1]: format "robot-a" was already defined in "0.yaml"']


def test_files_that_are_missing_or_large() -> None:
    diagnostics = Diagnostics()
    Path("large.yaml").write_text("#" * (1 << 20) + "\n", encoding="utf-8")
    found = read_extensions(["missing.yaml", ".", "large.yaml"], diagnostics, FORMATS.__contains__)
    assert [(str(d.span), d.code) for d in diagnostics.items] == [
        ("missing.yaml", "VG901"),
        (".", "VG901"),
        ("large.yaml", "VG207"),
    ]
    assert not found.is_whole


def test_too_many_formats() -> None:
    text = "formats:\n" + "".join(declared(name=f"robot-{n}").removeprefix("formats:\n") for n in range(1002))
    found, findings = read(text)
    assert (len(found.formats), len(findings)) == (1000, 1)
    assert findings[0].endswith("VG207 there are more than 1,000 formats")


def test_tests_that_fail() -> None:
    found, findings = read(declared(pattern="'^(a+)+$'", valid="[aa, b]", invalid=f"[aaa, {'a' * 5000}b, {'a' * 99}]"))
    assert findings == []
    diagnostics, begin = Diagnostics(), time.process_time()
    check_samples(found, diagnostics)
    assert time.process_time() - begin < 5  # engines that backtrack would never end
    assert [f"{d.code} {d.message}" for d in diagnostics.items] == [
        'VG208 format "robot-a": "b" does not match the pattern "^(a+)+$"',
        'VG208 format "robot-a": "aaa" matches the pattern "^(a+)+$"',
        f'VG208 format "robot-a": "{"a" * 60}\u2026" matches the pattern "^(a+)+$"',
    ]
