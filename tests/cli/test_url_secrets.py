"""Secrets in URLs: nothing that a command prints or writes shows one, wherever the URL was given."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest

from tests.cli.comparing import Comparison, box, lines
from tests.webserver import serving
from validation_gen.commands.distributed.engines import Cluster
from validation_gen.diagnostics import Diagnostic, Severity, Span, visible
from validation_gen.diagnostics.visible import note_secrets, redact

pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
pytest.importorskip("aiohttp", reason="aiohttp, which fsspec needs for https://, is not installed")
SECRET = "SECRET"
SIGNED = f"?part=1&sig={SECRET}"
OUTPUTS = ("--report", "report.html", "--history", "history.jsonl", "--metrics-file", "metrics.prom")


@pytest.fixture
def web(comparison: Comparison) -> Iterator[str]:
    """A web server of the directory, whatever the query. It takes nothing."""
    with serving(comparison.directory) as url:
        yield url


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[str, str]]:
    """The option of a cluster of one process, which all tests share."""
    from validation_gen.commands.distributed.dask_engine import DaskEngine  # noqa: PLC0415 - it imports Dask

    with contextlib.closing(DaskEngine(Cluster(processes=1))) as engine:
        yield "--cluster", engine._cluster.scheduler_address


def tells(comparison: Comparison, *arguments: str, code: int) -> str:
    """What a command prints, which shows no secret, nor do the files that are there afterwards."""
    done = comparison.program(*arguments)
    assert done.code == code, done.err
    for file in comparison.directory.rglob("*"):
        assert file.is_dir() or SECRET not in file.read_text(errors="replace"), file
    assert SECRET not in done.out
    assert SECRET not in done.err
    return done.out + done.err


def test_compare(comparison: Comparison, web: str, cluster: tuple[str, str]) -> None:
    comparison.objects([box(n, size=9) for n in range(3)])
    comparison.objects(["{"], "broken.jsonl")
    good, bad, none = (f"{web}/{name}.jsonl{SIGNED}" for name in ("objects", "broken", "none"))
    compare = ("compare", "apis", "--handwritten", "python:hand.py:stricter")
    for form in ("text", "json", "sarif", "junit"):
        found = tells(comparison, *compare, "-f", good, "--format", form, *OUTPUTS, code=1)
        assert form not in ("json", "sarif") or "sig=\\u2026" in found or "sig=…" in found
    tells(comparison, *compare, "-f", good, "--old", bad, "-f", none, code=2)
    both = (*compare, "-f", good, *cluster, *OUTPUTS)
    tells(comparison, *both, "-f", bad, "-f", none, code=2)
    tells(comparison, *both, "--cluster", "local:1", "-f", bad, code=1)
    tells(comparison, *both, "--resume", f"{web}/state{SIGNED}", code=2)
    tells(comparison, *both, "--resume", f"{web}/objects.jsonl{SIGNED}", code=2)
    tells(comparison, *both, "--old", good, "--spill", f"http://u:{SECRET}@127.0.0.1:1/spill", code=2)
    for spec in (f"webhook:http://u:{SECRET}@127.0.0.1:1/{SIGNED}", f"webhook:ftp://u:{SECRET}@127.0.0.1:1/"):
        asked = ("compare", "apis", "--handwritten", spec, "-f", "objects.jsonl", "--retries", "0")
        tells(comparison, *asked, "--format", "json", *OUTPUTS, code=2)


def test_a_link_that_is_signed_anew_is_gone_on_with(comparison: Comparison, web: str) -> None:
    comparison.objects([box(n, size=9) for n in range(3)])
    said = []
    for signature in ("one", "two"):
        objects = f"{web}/objects.jsonl?sig={signature}"
        done = comparison("stricter", "-f", objects, "--resume", "state.json", "--format", "json")
        assert done.code == 1, done.err
        said.append(json.loads(done.out)["about"])
    assert said[0] == said[1]


def test_validate(comparison: Comparison, web: str, cluster: tuple[str, str]) -> None:
    comparison.objects([box(n, size=9) for n in range(3)])
    comparison.objects(["{"], "broken.jsonl")
    good, bad, none = (f"{web}/{name}.jsonl{SIGNED}" for name in ("objects", "broken", "none"))
    found = " ".join(tells(comparison, "validate", "apis", "-f", good, code=2).replace("│", " ").split())
    assert "URLs are read with --cluster, for example --cluster local" in found
    tells(comparison, "validate", "apis", "-f", "objects.jsonl", "--old", good, code=2)
    tells(comparison, "validate", "apis", "-f", good, "-f", bad, "-f", none, *cluster, code=2)
    for state in ("state", "objects.jsonl"):
        resumed = ("validate", "apis", "-f", good, *cluster, "--resume")
        tells(comparison, *resumed, f"{web}/{state}{SIGNED}", code=2)
        tells(comparison, *resumed, f"http://u:{SECRET}@127.0.0.1:1/{state}", code=2)


@pytest.mark.parametrize(
    "command", [("apply", "--dry-run"), ("webhook", "review", "--url", "https://127.0.0.1:1/"), ("validate", "apis")]
)
@pytest.mark.parametrize("option", ["-f", "--old"])
@pytest.mark.parametrize("before", ["", "objects.jsonl,"])
def test_a_url_is_no_path(comparison: Comparison, command: tuple[str, ...], option: str, before: str) -> None:
    comparison.objects([box(1)])
    more = () if option == "-f" else ("-f", "objects.jsonl")
    url = f"https://u:{SECRET}@127.0.0.1:1/a.yaml{SIGNED}"
    found = tells(comparison, *command, *more, option, f"{before}{url}", code=2)
    assert f"{before}https://…@127.0.0.1:1/a.yaml?part=1&sig=… is not a path" in _joined(found)


def test_no_state_of_one_machine_is_kept_at_a_url(comparison: Comparison) -> None:
    comparison.objects([box(1)])
    compare = ("compare", "apis", "--handwritten", "python:hand.py:stricter", "-f", "objects.jsonl")
    url = f"s3://reports/state.json{SIGNED}"
    found = tells(comparison, *compare, "--resume", url, code=2)
    assert "kept in a file, and at a URL with --cluster alone: s3://reports/state.json?part=1&sig=…" in _joined(found)
    (comparison.directory / "validation-gen.toml").write_text('[compare]\nresume = "s3://reports/state.json"\n')
    tells(comparison, *compare, "--trust", code=0)


def _joined(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_coverage(comparison: Comparison, web: str, cluster: tuple[str, str]) -> None:
    (comparison.directory / "seen.jsonl").write_text(lines([{"apiVersion": "v1", "kind": "Pod", "errors": []}]))
    (comparison.directory / "broken.jsonl").write_text("{\n")
    good, bad, none = (f"{web}/{name}.jsonl{SIGNED}" for name in ("seen", "broken", "none"))
    for more in ((), cluster):
        tells(comparison, "coverage", "apis", "--tests", good, *more, code=1)
        tells(comparison, "coverage", "apis", "--tests", bad, "--tests", none, *more, code=2)
    for state in ("state", "seen.jsonl"):
        resumed = ("coverage", "apis", "--tests", good, *cluster, "--resume")
        tells(comparison, *resumed, f"{web}/{state}{SIGNED}", code=2)
        tells(comparison, *resumed, f"http://u:{SECRET}@127.0.0.1:1/{state}", code=2)


#: Texts with a secret that arguments may hold, by the text in their place.
HOSTILE = {
    f"https://u:{SECRET}@127.0.0.1:1/k": "https://…@127.0.0.1:1/k",
    f"s3://KEY:{SECRET}@bucket/k": "s3://…@bucket/k",
    f"s3://KEY:a/{SECRET}@bucket/k": "s3://…@bucket/k",
    f"s3:/KEY:{SECRET}@bucket/k": "s3:/…@bucket/k",
    f"https://127.0.0.1:1/k?sig={SECRET}": "https://127.0.0.1:1/k?sig=…",
}
COMMANDS = [
    ("generate",),
    ("lint",),
    ("check",),
    ("crd",),
    ("crd", "lint"),
    ("validate",),
    ("validate", "apis", "-f"),
    ("validate", "apis", "-f", "objects.jsonl", "--cluster"),
    ("apply", "--dry-run", "-f"),
    ("breaking",),
    ("breaking", "apis", "--against"),
    ("convert", "--to", "python"),
    ("coverage", "apis", "--tests"),
    ("explain",),
    ("convert", "markers"),
    ("config", "init"),
    ("webhook", "review", "-f", "objects.jsonl", "--url"),
    ("cel", "test"),
    ("crd", "new-conversion"),
    ("edge-cases",),
    ("schemas",),
    ("config", "trust"),
    ("webhook", "stdio"),
    ("generate", "apis", "--output-dir"),
    ("generate", "apis", "--config"),
    ("compare", "apis", "-f", "objects.jsonl", "--handwritten"),
    ("compare", "apis", "--handwritten", "python:hand.py:agrees", "-f"),
    ("compare", "apis", "--handwritten", "python:hand.py:agrees", "-f", "objects.jsonl", "--report"),
    ("compare", "apis", "--handwritten", "python:hand.py:agrees", "-f", "objects.jsonl", "--cluster"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_shows_a_secret(comparison: Comparison, command: tuple[str, ...]) -> None:
    comparison.objects([box(1)])
    for text in HOSTILE:
        for given in (text, f"tcp://u:{SECRET}@127.0.0.1:1") if command[-1] == "--cluster" else (text,):
            done = comparison.program(*command, given)
            assert SECRET not in done.out + done.err
            assert done.code in (0, 1, 2)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", ["text", "concise", "json", "sarif", "junit", "github", "gitlab"])
def test_no_format_shows_a_secret(comparison: Comparison, form: str, text: str) -> None:
    for command in (("lint", text), ("validate", text, "-f", "objects.jsonl"), ("crd", "lint", text)):
        done = comparison.program(*command, "--format", form)
        assert SECRET not in done.out + done.err
        assert done.code == 2


def test_a_configuration_is_shown_without_secrets(comparison: Comparison) -> None:
    url = f"webhook:https://u:{SECRET}@127.0.0.1:1/"
    (comparison.directory / "validation-gen.toml").write_text(f'[compare]\nhandwritten = "{url}"\n')
    for more in ((), ("--format", "json")):
        done = comparison.program("config", "show", *more)
        assert (done.code, SECRET in done.out + done.err) == (0, False)
        assert "https://…@127.0.0.1:1/" in done.out


def test_what_other_libraries_say_of_a_url_has_no_secret() -> None:
    with forgetting_secrets():
        note_secrets(
            [f"s3://KEY:{SECRET}%2F1@bucket/k", f"https://h/k?sig={SECRET}2", "https://u:abc@h", "https://me@h"]
        )
        for quoted in (f'Invalid bucket name "KEY:{SECRET}/1@bucket"', f"/k?a=1 {SECRET}2", f"{SECRET}%2F1"):
            found = Diagnostic("VG901", Severity.ERROR, quoted, Span(quoted), quoted, ((quoted, None),))
            assert SECRET not in repr(found)
        assert redact("abc of me") == "abc of me"  # too short to be known outside of a URL


@contextlib.contextmanager
def forgetting_secrets() -> Iterator[None]:
    """Forgets the secrets that are noted meanwhile."""
    before = set(visible._known)
    try:
        yield
    finally:
        visible._known.clear()
        visible._known.update(before)
