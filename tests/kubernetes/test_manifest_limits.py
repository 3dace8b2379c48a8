"""Limits of manifests: few bytes that expand to much take neither all memory nor all day."""

from __future__ import annotations

import gzip
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.tables import each
from validation_gen.cli.app import app, arguments
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes import manifests, yaml
from validation_gen.kubernetes.manifests import parse
from validation_gen.runtime import native

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(params=["native", "pure"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Reads by native code, where that is there, or by PyYAML alone."""
    if request.param == "pure":
        monkeypatch.setattr(native, "accept", None)
    elif native.accept is None:
        pytest.skip("the native accept path is not there")
    return str(request.param)


def read(text: str) -> tuple[list[Any], list[str]]:
    """Returns the objects of a text, and what is wrong with it."""
    diagnostics = Diagnostics()
    found = parse("a.yaml", text.encode(), diagnostics)
    return [each.obj for each in found], [f"{each.span.line}: {each.message}" for each in diagnostics.items]


@pytest.fixture
def peak() -> Iterator[Any]:
    """Returns the most bytes that Python has allocated since the test began."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


# --- tags -------------------------------------------------------------------------------------------------------------

PREFIX = "%TAG !e! tag:" + "x" * 50_000 + "\n"
USES = "---\na:\n" + "- !e!a 1\n" * 5_000


@pytest.mark.parametrize("before", ["", "# comment\n", "%YAML 1.1\n", "a: 1\n...\n", "---\nb: 1\n...\n# c\n\n"])
def test_a_long_prefix_of_tags_is_never_repeated(reader: str, peak: Any, before: str) -> None:
    _, wrong = read(before + PREFIX + USES)
    line = before.count("\n") + 1
    assert f"{line}: the directive `%TAG` is not allowed" in wrong
    assert peak() < 20e6  # repeated it would be 250e6


def test_many_directives_take_no_longer_than_few(reader: str) -> None:
    begun = time.process_time()
    _, wrong = read("".join(f"%TAG !e{n}! tag:\n" for n in range(50_000)) + "---\na: 1\n")
    assert wrong == ["1: the directive `%TAG` is not allowed"]
    assert time.process_time() - begun < 5


@each(
    ("text", "value"),
    [
        ("a: |\n %TAG ! x\n", "%TAG ! x\n"),
        ('a: "b\n%TAG ! x"\n', "b %TAG ! x"),
        ("# %TAG ! x\na: 1\n", 1),
        ("a: '%TAG'\n", "%TAG"),
    ],
)
def test_texts_may_look_like_directives(reader: str, text: str, value: object) -> None:
    assert read(text) == ([{"a": value}], [])


@each("node", ["!x {}", "!x []", "!x 1", "!x 'a'", "!<a> 1", "!!x 1", "!!python/name:os.x ''", "!x\n"])
def test_unknown_tags_are_refused_wherever_they_are(reader: str, node: str) -> None:
    for text in (f"a: {node}\n", f"a:\n- {node}\n", f"a:\n  b: {node}\n", f"{node}\n"):
        _, wrong = read(text)
        assert len(wrong) == 1
        assert "is not known" in wrong[0]


# --- values -----------------------------------------------------------------------------------------------------------

#: Texts with many values, by how many times a part is repeated.
SHAPES: dict[str, Callable[[int], str]] = {
    "items": lambda n: "a:\n" + "- \n" * n,
    "items that are not indented": lambda n: "- 1\n" * n,
    "items in brackets": lambda n: f"a: [{'1,' * n}1]\n",
    "lists in brackets": lambda n: f"a: [{'[],' * n}[]]\n",
    "members": lambda n: "".join(f"k{i}:\n" for i in range(n)),
    "members in brackets": lambda n: "a: {" + ", ".join(f"k{i}: 1" for i in range(n)) + "}\n",
    "names in brackets": lambda n: "a: {" + ",".join(f"k{i}" for i in range(n)) + "}\n",
    "objects": lambda n: "a:\n" + "- b: 1\n" * n,
    "JSON": lambda n: '{"a":[%s0]}' % ("0," * n),
    "JSON lists": lambda n: '{"a":[%s[]]}' % ("[]," * n),
    "JSON members": lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n)) + "}",
    "with an anchor": lambda n: "a: &x\n" + "- 1\n" * n,
    "of one tag": lambda n: "a:\n" + "- !!str 1\n" * n,
    "quoted": lambda n: "a:\n" + "- ''\n" * n,
}


@each("name", SHAPES)
def test_values_are_bounded(reader: str, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for module, constant in ((yaml, "MOST_VALUES"), (yaml, "MOST_NODES"), (manifests, "MOST_VALUES")):
        monkeypatch.setattr(module, constant, 5_000)
    assert read(SHAPES[name](1_000))[1] == []
    objects, wrong = read(SHAPES[name](30_000))
    assert objects == []
    assert [text.partition(": ")[2] for text in wrong] == [
        "the document has more than 5,000 values, the most that are read"
    ]


def test_large_documents_are_read(reader: str) -> None:
    (value,), wrong = read("a:\n" + "- x\n" * 100_000)
    assert (len(value["a"]), wrong) == (100_000, [])


# --- documents --------------------------------------------------------------------------------------------------------

EMPTY = {
    "separators": "---\n",
    "blank lines": "---\n\n",
    "blanks": "--- \n",
    "comments": "---\n# nothing\n",
    "comments behind": "--- # nothing\n",
    "carriage returns": "---\r\n",
    "nulls below": "---\nnull\n",
    "tildes": "---\n~\n",
}


@each("name", EMPTY, parts=4)
def test_empty_documents_are_passed_over(reader: str, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    calls = 0
    real = yaml.read_documents

    def counting(text: str) -> Any:
        nonlocal calls
        calls += 1
        return real(text)

    monkeypatch.setattr(manifests, "read_documents", counting)
    many = EMPTY[name] * 20_000
    lines = EMPTY[name].count("\n") * 20_000
    diagnostics = Diagnostics()
    found = parse("a.yaml", f"{many}---\na: 1\n{many}---\nb: 2\n".encode(), diagnostics)
    assert [(each.line, each.obj) for each in found] == [(lines + 2, {"a": 1}), (2 * lines + 4, {"b": 2})]
    assert diagnostics.items == []
    assert calls <= 4


def test_ten_million_separators_take_a_moment(reader: str) -> None:
    begun = time.process_time()
    assert read("---\n" * 10_000_000 + "a: 1\n") == ([{"a": 1}], [])
    assert time.process_time() - begun < 5


@each("text", ["---\n- -\n", "---\n-\n", "---\n--\n", "---\n#\n- null\n"])
def test_what_only_looks_empty_is_read(reader: str, text: str) -> None:
    assert len(read(f"---\n{text}")[0]) == 1


@each("document", ["---\na: 1\n", "---\n1\n", "{}\n", '{"a": 1} '])
def test_documents_are_bounded(reader: str, monkeypatch: pytest.MonkeyPatch, document: str) -> None:
    monkeypatch.setattr(manifests, "MOST_DOCUMENTS", 1_000)
    begin = "{}\n" if document[0] == "{" else ""
    assert read(begin + document * 900)[1] == []
    assert [text.partition(": ")[2] for text in read(begin + document * 1_100)[1]] == [
        "the file has more than 1,000 objects, the most that are read"
    ]


def test_items_of_a_list_are_bounded(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "MOST_DOCUMENTS", 1_000)
    text = "kind: List\napiVersion: v1\nitems:\n"
    assert len(read(text + "- {}\n" * 1_000)[0]) == 1_000
    assert read(text + "- {}\n" * 1_001)[1] == ["1: the file has more than 1,000 objects, the most that are read"]


# --- compressed -------------------------------------------------------------------------------------------------------

DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Boat, plural: boats}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""
BOAT = "apiVersion: example.com/v1\nkind: Boat\nmetadata: {name: a}\n"


def pack(suffix: str, text: str) -> bytes:
    """Returns a compressed text. Skips the test where nothing is installed that does it."""
    if suffix == ".gz":
        return gzip.compress(text.encode())
    zstd: Any = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    packed: bytes = zstd.compress(text.encode())
    return packed


def validate(directory: Path, suffix: str, text: str) -> tuple[int, str, int]:
    """Validates a compressed text. Returns the exit code, the output and the size of the file."""
    definition, file = directory / "boats.yaml", directory / f"a.yaml{suffix}"
    definition.write_text(DEFINITION)
    file.write_bytes(pack(suffix, text))
    words = ["validate", str(definition), "-f", str(file), "--jobs", "1", "--format", "concise"]
    done = CliRunner().invoke(app, arguments(words))
    return done.exit_code, done.output, file.stat().st_size


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_values_of_compressed_files_are_bounded(
    reader: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, constant in ((yaml, "MOST_VALUES"), (yaml, "MOST_NODES"), (manifests, "MOST_VALUES")):
        monkeypatch.setattr(module, constant, 5_000)
    assert "1 object: 1 valid" in validate(tmp_path, suffix, f"{BOAT}spec:\n" + "- \n" * 100)[1]
    for text in ("- \n" * 300_000, f"{BOAT}spec:\n" + "- \n" * 300_000):
        code, output, size = validate(tmp_path, suffix, text)
        assert size < 2_000
        assert (code, "VG901" in output or "VG905" in output) == (2, True), output
        assert "the document has more than 5,000 values, the most that are read" in output


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_empty_documents_of_compressed_files_take_a_moment(reader: str, suffix: str, tmp_path: Path) -> None:
    text = "---\n" * 5_000_000
    begun = time.process_time()
    code, output, size = validate(tmp_path, suffix, f"{text}{BOAT}{text}")
    assert time.process_time() - begun < 5
    assert (code, "1 object: 1 valid, 0 invalid" in output) == (0, True), output
    assert size < 40_000


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_objects_of_compressed_files_are_bounded(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "MOST_DOCUMENTS", 1_000)
    code, output, _ = validate(tmp_path, suffix, "---\na: 1\n" * 10_000)
    assert (code, "the file has more than 1,000 objects, the most that are read" in output) == (2, True), output
