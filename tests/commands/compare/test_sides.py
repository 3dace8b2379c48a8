"""Specifications of sides, and sides that are Python functions."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Answer, Refusal, SideOptions, SpecError, parse_spec
from validation_gen.runtime.errors import Mark
from validation_gen.runtime.shapes import INT32, MapOf, Struct


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def ask(spec: str, *requests: Request, **given: Any) -> list[Answer]:
    made = pickle.loads(pickle.dumps(parse_spec(spec)))
    with made.side(**given) as side:
        answers: list[Answer] = side.ask(requests)
    return answers


def shown(answers: list[Answer]) -> list[Any]:
    return [answer.text if isinstance(answer, Refusal) else list(map(str, answer)) for answer in answers]


# --- specifications ---------------------------------------------------------------------------------------------------


@each(
    ("text", "reason", "suggestion"),
    [
        ("", "'' does not say how to ask it", "write python:module:function, exec:COMMAND or webhook:URL"),
        ("pyton:m:f", "'pyton:m:f' does not say how to ask it", "write python:m:f"),
        ("checks:check", "'checks:check' does not say how to ask it", "write python:checks:check"),
        ("checks.py:check", "'checks.py:check' does not say how to ask it", "write python:checks.py:check"),
        ("https://x/y", "'https://x/y' does not say how to ask it", "write webhook:https://x/y"),
        ("./judge --all", "'./judge --all' does not say how to ask it", "write exec:./judge --all"),
        ("python:", "python: does not name a function", "write python:MODULE:FUNCTION"),
        ("python:checks", "python:checks does not name a function", "write python:checks:FUNCTION"),
        ("python:checks:", "python:checks: does not name a function", "write python:checks:FUNCTION"),
        ("python:checks:chek", "there is no chek in checks", "did you mean check?"),
        ("python:checks:zzz", "there is no zzz in checks", "it has check, Checker"),
        ("python:checks:Checker.cal", "there is no cal in checks.Checker", "did you mean call?"),
        ("python:nowhere:f", "there is no module nowhere",
         "run the program where it can be imported from, install it, or name its file: …"),
        ("python:chekcs.py:f", "there is no file chekcs.py", "did you mean checks.py?"),
        ("python:checks:number", "5 is no function", ""),
        ("python:checks:odd", "checks.odd has a parameter colour: a function takes …", ""),
        ("python:broken:f", "broken cannot be imported: ZeroDivisionError: division by zero (broken.py:2)",
         "it must be importable without arguments"),
        ("python:needy.py:f",
         "needy.py cannot be imported: ModuleNotFoundError: No module named 'not_there' (needy.py:1)",
         "it must be importable without arguments"),
        ("python:syntax:f", "syntax cannot be imported: SyntaxError: invalid syntax (syntax.py:1)",
         "it must be importable without arguments"),
        ("python:exits:f", "exits cannot be imported: SystemExit: 3 (exits.py:1)",
         "it must be importable without arguments"),
        ("exec:", "exec: names no program", "write exec:COMMAND"),
        ("exec:'a", "the command \"'a\" cannot be split: No closing quotation", "quote it as for a shell"),
        ("exec:not-there-at-all -x", "there is no program not-there-at-all",
         "name one on the PATH, or the path to one"),
        ("exec:./checks.py", "./checks.py cannot be executed",
         "make it executable, or name what runs it: exec:python ./checks.py"),
        ("webhook:localhost:9443/x", "'localhost:9443/x' is no URL of a webhook", "write webhook:https://localhost:9443/x"),
        ("webhook:", "'' is no URL of a webhook", "write webhook:https://HOST:PORT/PATH"),
        ("webhook:https://[x", "'https://[x' is no URL: Invalid IPv6 URL", "write webhook:https://HOST:PORT/PATH"),
    ],
)  # fmt: skip
def test_mistakes_in_specifications(place: Path, text: str, reason: str, suggestion: str) -> None:
    write("checks.py", "number = 5\nclass Checker:\n  def call(self, obj): ...\n"
          "def check(obj): ...\ndef odd(obj, old, op, colour): ...\nfrom json import dumps\n")  # fmt: skip
    write("broken.py", "\n1 / 0\n")
    write("needy.py", "import not_there\n")
    write("syntax.py", "def def\n")
    write("exits.py", "raise SystemExit(3)\n")
    write("judge", "")
    with pytest.raises(SpecError) as caught:
        parse_spec(text)
    if suggestion.startswith("it has"):
        assert caught.value.reason == reason
        assert sorted(caught.value.suggestion[7:].split(", ")) == ["Checker", "check", "odd"]
    else:
        for found, wanted in ((caught.value.reason, reason), (caught.value.suggestion, suggestion)):
            assert found.startswith(wanted[:-1]) if wanted.endswith("…") else found == wanted
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.args, again.reason, again.suggestion) == (
        caught.value.args, caught.value.reason, caught.value.suggestion,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"ca_file": "no.pem"}, "there is no file no.pem"),
        ({"ca_file": "bad.pem"}, "the certificates cannot be used: "),
        ({"key_file": "bad.pem"}, "a key was given without its certificate"),
        ({"cert_file": "bad.pem"}, "the certificates cannot be used: "),
    ],
)
def test_mistakes_in_options(options: dict[str, str], reason: str) -> None:
    write("bad.pem", "no certificate")
    with pytest.raises(SpecError) as caught:
        parse_spec("webhook:https://localhost/", SideOptions(**options))  # type: ignore[arg-type]
    assert caught.value.reason.startswith(reason)


def test_secrets_are_not_shown() -> None:
    assert "secret" not in repr(SideOptions(headers=(("Authorization", "secret"),)))


# --- functions --------------------------------------------------------------------------------------------------------

CHECKS = """
from validation_gen.runtime.errors import FieldError

print("a line that a program prints while it is imported")

def check(obj, old=None, *, options, subresource):
    print("a line that a function prints")
    obj.setdefault("metadata", {})["name"] = "changed"
    if old is not None and old["size"] > obj["size"]:
        yield FieldError.forbidden("size", f"{subresource} must not shrink")
    if options.get("Gate"):
        yield "size", "Required value"

async def wait(obj):
    import asyncio
    await asyncio.sleep(0)
    raise ValueError(f"size: Invalid value: {obj['size']}: odd")

class Checker:
    def __init__(self, limit): self.limit = limit
    def __call__(self, obj): return obj["size"] <= self.limit

three = Checker(3)

def crash(obj):
    return inner(obj)

def inner(obj):
    if obj["size"] == 1: return obj["nope"]
    if obj["size"] == 2: raise SystemExit(5)
    if obj["size"] == 3: return inner(obj)
    if obj["size"] == 4: return 42
"""


def test_functions(capsys: pytest.CaptureFixture[str]) -> None:
    write("checks.py", CHECKS)
    obj = {"size": 1}
    answers = ask(
        "python:checks:check",
        Request("Widget", obj),
        Request("Widget", obj, {"size": 2}, update=True, subresource="/status"),
        Request("Widget", obj, options={"Gate": True}),
    )
    assert shown(answers) == [[], ["size: Forbidden: /status must not shrink"], ["size: Required value"]]
    assert obj == {"size": 1}
    assert not capsys.readouterr().out
    assert shown(ask("python:checks:wait", Request("Widget", obj))) == [["size: Invalid value: 1: odd"]]
    [refused] = ask("python:checks:three", Request("Widget", {"size": 4}))
    assert isinstance(refused, list)
    assert refused[0].marks == {Mark.ANY_TYPE, Mark.ANY_FIELD, Mark.ANY_ORIGIN, Mark.COVERED}


UNDERSTOOD = (
    "errors (FieldError), texts, pairs of a path and a message, mappings from paths to messages, answers of the line "
    "protocol, None and booleans"
)


def test_a_crash_is_about_one_object() -> None:
    write("checks.py", CHECKS)
    line = CHECKS.splitlines().index("def inner(obj):") + 2
    assert shown(ask("python:checks.py:crash", *(Request("Widget", {"size": size}) for size in range(6)))) == [
        [],
        f"checks.py:crash crashed: KeyError: 'nope' (checks.py:{line})",
        f"checks.py:crash crashed: SystemExit: 5 (checks.py:{line + 1})",
        f"checks.py:crash went too deep: checks.py:{line + 2}",
        f"checks.crash returned 42 of type int; these are understood: {UNDERSTOOD}",
        [],
    ]
    deep: Any = {"size": 1}
    for _ in range(100_000):
        deep = [deep]
    [refusal] = shown(ask("python:checks:crash", Request("Widget", deep)))
    assert "too deep" in refusal


def test_files_and_packages() -> None:
    write("lib/pack/__init__.py", "")
    write("lib/pack/rules.py", "LIMIT = 3\n")
    write("lib/pack/checks.py", "from .rules import LIMIT\ndef check(obj): return [f'a: Required value: {LIMIT}']\n")
    write(
        "odd-name.py",
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n  a: int\ndef check(obj): return 'a: Forbidden'\n",
    )
    write("json.py", "def check(obj): return 'b: Forbidden'\n")
    request = Request("Widget", {})
    assert shown(ask("python:lib/pack/checks.py:check", request)) == [["a: Required value: 3"]]
    assert shown(ask("python:odd-name.py:check", request)) == [["a: Forbidden"]]
    assert shown(ask(f"python:{os.getcwd()}/json.py:check", request)) == [["b: Forbidden"]]  # noqa: PTH109
    assert shown(ask("python:pack.checks:check", request)) == [["a: Required value: 3"]]


def test_shapes_tell_keys_from_members() -> None:
    write("checks.py", "def check(obj): return {'labels': {'a.b': 'odd'}}\n")
    shape = Struct("Widget")
    shape.define({"labels": MapOf(INT32)})
    request = Request("Widget", {"labels": {"a.b": 1}})
    assert shown(ask("python:checks:check", request)) == [["labels.a.b: Invalid value: 1: odd"]]
    with_shape = ask("python:checks:check", request, shapes=lambda asked: shape if asked is request else None)
    assert shown(with_shape) == [["labels[a.b]: Invalid value: 1: odd"]]
