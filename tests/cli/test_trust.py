"""A repository of somebody else's: what its configuration names is neither run, asked nor written to without trust."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.comparing import DOC, TYPES, box
from tests.program import invoke
from validation_gen.cli.option_schema import section_names, sections
from validation_gen.commands.compare.work import Plan
from validation_gen.commands.distributed import engines
from validation_gen.commands.distributed.processes import cores
from validation_gen.compiler.config import named

#: The Python files write a trace when they are run.
CHECKS = """
from pathlib import Path

Path({trace!r}).touch()


def ValidateCustom_Box(value, old, op):
    from validation_gen.runtime.errors import FieldError
    return [FieldError.invalid("", "x", "custom")] if value.get("spec", {{}}).get("size") == 7 else []


def agrees(obj, old, op):
    return []
"""
CONFIG = """
inputs = ["apis"]
custom-validations = ["checks.py"]
{more}

[handwritten]
"apis/v1.Box" = "checks:agrees"
"""


class Hostile:
    """The repository, the user's own places, and the traces of what has been run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "foreign"
        self.traces = root / "traces"
        self.home = root / "home"
        self.store = self.home / "config" / "validation-gen" / "trust.json"
        for directory in (self.project / "apis" / "v1", self.traces, self.home):
            directory.mkdir(parents=True)
        self.write("go.mod", "module example.com/shop\n")
        self.write("apis/v1/doc.go", DOC)
        self.write("apis/v1/types.go", TYPES.replace("type Box struct", "// +k8s:customValidation\ntype Box struct"))
        self.write("checks.py", CHECKS.format(trace=str(self.traces / "checks")))
        self.write("judge", f"#!/bin/sh\ntouch {self.traces}/judge\n")
        (self.project / "judge").chmod(0o755)
        self.write("box.json", json.dumps(box(1, size=7)))
        self.write("tests.jsonl", "")
        self.configure()

    def write(self, name: str, text: str) -> None:
        (self.project / name).write_text(text)

    def configure(self, more: str = "", after: str = "") -> None:
        self.write("validation-gen.toml", CONFIG.format(more=more) + after)

    def run(self, *args: str) -> Result:
        done = invoke(args)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
        return done

    @property
    def ran(self) -> list[str]:
        return sorted(each.name for each in self.traces.iterdir())

    def outside(self) -> list[str]:
        """What has been written beside the repository."""
        return sorted(each.name for each in self.root.iterdir() if each.name not in {"foreign", "traces", "home"})


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hostile]:
    made = Hostile(tmp_path)
    monkeypatch.chdir(made.project)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(made.home / "config"))
    monkeypatch.delenv("VALIDATION_GEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("VALIDATION_GEN_TRUST", raising=False)
    yield made
    import sys  # noqa: PLC0415 - what was imported from the repository is forgotten

    for name in [n for n, m in sys.modules.items() if str(tmp_path) in str(getattr(m, "__file__", ""))]:
        del sys.modules[name]


LEFT_OUT = "checks.py was not run, as only the project's configuration names it"
RUNS = (
    ["validate", "-f", "box.json"],
    ["validate", "-f", "box.json", "--format", "json"],
    ["validate", "-f", "box.json", "--format", "sarif"],
    ["explain", "-f", "box.json"],
    ["explain", "-f", "box.json", "--format", "json"],
    ["webhook", "stdio"],
)


@pytest.mark.parametrize("args", RUNS, ids=" ".join)
def test_checks_are_left_out_and_that_is_said(hostile: Hostile, args: list[str]) -> None:
    done = hostile.run(*args)
    assert (done.exit_code, hostile.ran) == (0, [])
    assert LEFT_OUT in done.output
    assert "VG911" in done.output


@pytest.mark.parametrize("args", RUNS, ids=" ".join)
def test_trusted_checks_are_run(hostile: Hostile, args: list[str]) -> None:
    done = hostile.run(*args, "--trust")
    assert done.exit_code == (0 if args[-1] == "stdio" else 1)
    assert hostile.ran == ["checks"]
    assert "VG911" not in done.output


@pytest.mark.parametrize("args", RUNS[:1] + RUNS[3:4], ids=" ".join)
def test_checks_that_the_user_names_are_run(hostile: Hostile, args: list[str]) -> None:
    assert hostile.run(*args, "--custom-validations", "checks.py").exit_code == 1
    assert hostile.ran == ["checks"]


def test_a_variable_trusts_as_well(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VALIDATION_GEN_TRUST", "1")
    assert hostile.run("validate", "-f", "box.json").exit_code == 1
    monkeypatch.setenv("VALIDATION_GEN_TRUST", "0")
    assert hostile.run("validate", "-f", "box.json").exit_code == 0


@pytest.mark.parametrize("text", ["trust = true\n", "", "[trust]\nx = 1\n", "[validate]\ntrust = true\n"])
def test_a_configuration_cannot_trust_itself(hostile: Hostile, text: str) -> None:
    hostile.configure(text if not text.startswith("[") else "", text if text.startswith("[") else "")
    done = hostile.run("validate", "-f", "box.json")
    assert done.exit_code == (2 if text else 0)
    assert hostile.ran == []
    assert all("trust" not in sections().load(name).keys for name in section_names())


def test_what_only_reads_needs_no_trust(hostile: Hostile) -> None:
    for args in (["generate"], ["check"], ["lint"], ["coverage", "--tests", "tests.jsonl"], ["config", "show"]):
        done = hostile.run(*args)
        assert "VG911" not in done.output
        assert hostile.ran == []
    assert hostile.run("breaking", "--against", "apis").exit_code == 0
    assert (hostile.ran, hostile.outside()) == ([], [])


@pytest.mark.parametrize(
    ("key", "refused"),
    [
        ("", "python:checks:agrees was not run"),
        ('handwritten = "python:checks.py:agrees"', "python:checks.py:agrees was not run"),
        ('handwritten = "exec:./judge"', "exec:./judge was not run"),
        ('handwritten = "webhook:http://127.0.0.1:PORT/x"', "was not contacted"),
        ('cluster = "tcp://127.0.0.1:PORT"', "was not contacted"),
    ],
)
def test_nothing_is_compared_with_what_is_not_trusted(hostile: Hostile, key: str, refused: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        hostile.configure(after=f"[compare]\n{key.replace('PORT', str(server.getsockname()[1]))}\n")
        done = hostile.run("compare", "-f", "box.json", "--jobs", "1")
        assert done.exit_code == 2
        assert refused in done.output
        assert LEFT_OUT in done.output
        assert hostile.ran == []
        with pytest.raises(BlockingIOError):
            server.accept()


def test_nothing_is_checked_by_a_scheduler_that_is_not_trusted(hostile: Hostile) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        hostile.configure(after=f'[validate]\ncluster = "tcp://127.0.0.1:{server.getsockname()[1]}"\n')
        done = hostile.run("validate", "-f", "box.json")
        assert done.exit_code == 2
        assert "was not contacted" in done.output
        assert hostile.ran == []
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    ("section", "key", "args"),
    [
        ("coverage", "tests", []),
        ("coverage", "tests", ["--cluster", "local:1"]),
        ("validate", "filename", ["--cluster", "local:1"]),
        ("compare", "filename", ["--handwritten", "exec:true"]),
        ("compare", "filename", ["--handwritten", "exec:true", "--cluster", "local:1"]),
        ("compare", "old", ["--handwritten", "exec:true", "-f", "box.json"]),
    ],
)
def test_no_server_is_asked_for_sources(hostile: Hostile, section: str, key: str, args: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a.jsonl"
        hostile.configure(after=f'[{section}]\n{key} = ["{url}?sig=s3cret"]\n')
        done = hostile.run(section, *args)
        assert done.exit_code == 2
        assert f"{url}?sig=… was not contacted, as only the project's configuration names it" in done.output
        with pytest.raises(BlockingIOError):
            server.accept()
    listed = hostile.run("config", "trust").output
    assert f"asks {url}?sig=…, by {section}.{key}:" in listed
    assert "s3cret" not in listed


def test_no_store_is_asked(hostile: Hostile) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        hostile.configure(after=f'[apiserver]\netcd = "{url}"\n')
        done = hostile.run("apiserver", "--", "true")
        assert done.exit_code == 2
        assert f"{url} was not contacted, as only the project's configuration names it" in done.output
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_foreign_project_gets_no_more_processes_than_cores(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def refuse(cluster: object) -> None:
        asked.append(cluster)
        raise engines.EngineError("not today")

    monkeypatch.setattr(engines, "engine_at", refuse)
    hostile.configure(after='[coverage]\ncluster = "local:999"\n')
    for more, most in (([], cores()), (["--trust"], 999), (["--cluster", "local:998"], 998)):
        assert hostile.run("coverage", "--tests", "tests.jsonl", *more).exit_code == 2
        assert asked.pop() == engines.Cluster(processes=most)


@pytest.mark.parametrize("command", ["validate", "compare", "crd lint"])
def test_nor_by_jobs(hostile: Hostile, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    asked: list[object] = []

    def check(*given: object, **rest: object) -> None:
        asked.append(next(each for each in given if isinstance(each, int)))
        raise SystemExit(2)

    def compare(plan: Plan, *more: object, **rest: object) -> None:
        asked.append(plan.jobs)
        raise SystemExit(2)

    monkeypatch.setattr("validation_gen.commands.validate.pieces.check", check)
    monkeypatch.setattr("validation_gen.commands.crdcheck.check", check)
    monkeypatch.setattr("validation_gen.commands.compare.comparison.Work", compare)
    hostile.write("validation-gen.toml", f'inputs = ["apis"]\n[{command.replace(" ", "-")}]\njobs = 999\n')
    words = {
        "crd lint": ["box.json"],
        "validate": ["-f", "box.json"],
        "compare": ["--handwritten", "exec:true", "-f", "box.json"],
    }[command]
    for more, most in (([], cores()), (["--trust"], 999), (["--jobs", "998"], 998), (["--jobs", "0"], cores())):
        assert hostile.run(*command.split(), *words, *more).exit_code == 2
        assert asked.pop() == most


def test_who_believes_a_webhook_is_not_the_projects_to_say(hostile: Hostile) -> None:
    hostile.configure(after='[compare]\nca-file = "ca.pem"\nserver-name = "bank"\n')
    done = hostile.run("compare", "--handwritten", "webhook:https://127.0.0.1:1/x", "-f", "box.json")
    assert done.exit_code == 2
    assert "ca.pem was not used" in done.output
    assert "bank was not used" in done.output


def test_where_objects_are_sent_is_not_the_projects_to_say(hostile: Hostile) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        url = f"https://127.0.0.1:{server.getsockname()[1]}"
        hostile.configure(after=f'[review]\nurl = "{url}"\ninsecure = true\n')
        done = hostile.run("webhook", "review", "-f", "box.json")
        assert done.exit_code == 2
        assert f"{url} was not used" in done.output
        assert "--insecure was not used" in done.output
        with pytest.raises(BlockingIOError):
            server.accept()


def test_trusted_code_is_compared_from_any_directory(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("apis")
    done = hostile.run("compare", "-f", "../box.json", "--jobs", "1", "--trust")
    assert "custom" in done.output
    assert hostile.ran == ["checks"]


def test_a_harness_is_not_made_by_foreign_code(hostile: Hostile) -> None:
    done = hostile.run("generate", "--emit", "harness")
    assert done.exit_code == 2
    assert LEFT_OUT in done.output
    assert (hostile.ran, (hostile.project / "generated").exists()) == ([], False)
    assert hostile.run("generate", "--emit", "harness", "--trust").exit_code == 0
    assert hostile.ran == ["checks"]


# --- places ----------------------------------------------------------------------------------------------------------


def test_each_path_of_a_configuration_is_known_to_be_read_or_written() -> None:
    found = {key.name for name in section_names() for key in sections().load(name).keys.values() if key.path}
    read = {"inputs", "filename", "old", "custom-validations", "modules", "tests", "allow", "expected", "extensions"}
    read |= {"with", "gates"}
    peers = {"ca", "ca-file", "client-ca", "client-cert", "client-key", "tls-cert", "tls-key"}
    assert found - named.WRITTEN == read | peers | {"against"}
    assert found >= named.WRITTEN


PLACES = (
    {
        "cache-dir": (["lint"], 'cache-dir = "../there"', ""),
        "python": (["generate"], "", '[outputs]\npython = "../there"\n'),
        "crd": (["crd"], "", '[outputs]\ncrd = "../there"\n'),
        "emitted": (["generate"], 'emit = ["crd"]', '[outputs]\ncrd = "../there"\n'),
        "asked for": (["generate", "--emit", "crd"], "", '[outputs]\ncrd = "../there"\n'),
        "asked for otherwise": (["check", "--emit", "crd"], 'emit = ["openapi"]', '[crd]\noutput-dir = "../there"\n'),
        "patched": (["crd"], "", '[crd]\npatch-schemas = "../there"\n'),
        "openapi": (["openapi"], "", '[openapi]\noutput-dir = "../there"\n'),
        "jsonschema": (["jsonschema"], "", '[outputs]\njsonschema = "../there"\n'),
        "monitoring": (["generate", "--emit", "monitoring"], "", '[monitoring]\noutput-dir = "../there"\n'),
        "convert": (["convert", "--to", "python"], "", '[convert]\noutput-dir = "../there"\n'),
        "home": (["generate"], "", '[generate]\noutput-dir = "~/there"\n'),
        "link": (["generate"], "", '[generate]\noutput-dir = "link/there"\n'),
        "git": (["generate"], "", '[generate]\noutput-dir = ".GIT/hooks"\n'),
    }
    | {
        key: (["compare", "--handwritten", "exec:true", "--fuzz", "1"], "", f'[compare]\n{key} = "../there.prom"\n')
        for key in ("cases", "resume", "spill", "report", "history", "metrics-file")
    }
    | {
        f"{key} at a URL": (
            ["compare", "--handwritten", "exec:true", "-f", "apis", "--cluster", "local:1"],
            "",
            f'[compare]\n{key} = "file://{{root}}/there"\n',
        )
        for key in ("resume", "spill")
    }
    | {
        "validate": (
            ["validate", "-f", "box.json", "--cluster", "local:1"],
            "",
            '[validate]\nresume = "../there"\n',
        )
    }
)


@pytest.mark.parametrize("name", PLACES)
def test_nothing_is_written_outside(hostile: Hostile, name: str) -> None:
    args, more, after = PLACES[name]
    (hostile.project / "link").symlink_to("..")
    hostile.configure(more, after.replace("{root}", str(hostile.root)))
    before = sorted(hostile.home.rglob("*"))
    done = hostile.run(*args)
    assert done.exit_code == 2, done.output
    assert "VG903" in done.output
    assert "outside of the project, and nothing is written there" in done.output
    assert (hostile.outside(), hostile.ran, sorted(hostile.home.rglob("*"))) == ([], [], before)


def test_trust_and_the_command_line_let_others_be_written(hostile: Hostile) -> None:
    hostile.configure(after='[outputs]\npython = "../there"\n')
    assert hostile.run("generate", "-o", "../named").exit_code == 0
    assert hostile.outside() == ["named"]
    hostile.configure(after='[outputs]\ncrd = "../there"\n')
    assert hostile.run("generate", "--emit", "crd=../named").exit_code == 0
    assert hostile.outside() == ["named"]
    hostile.configure(after='[outputs]\npython = "../there"\n')
    assert hostile.run("generate", "--trust").exit_code == 0
    assert hostile.outside() == ["named", "there"]


def test_a_project_is_its_git_work_tree(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    (hostile.root / ".git").mkdir()
    hostile.configure(after='[outputs]\npython = "../there"\n')
    monkeypatch.setenv("HOME", str(hostile.root / "foreign"))  # a work tree around a home is not the project's
    assert hostile.run("generate").exit_code == 2
    monkeypatch.setenv("HOME", str(hostile.home))
    (hostile.home / "config").mkdir()
    monkeypatch.setenv("HOME", "/nowhere")
    assert hostile.run("generate").exit_code == 0


def test_fixes_stay_in_the_project(hostile: Hostile) -> None:
    bad = hostile.root / "other.go"
    text = 'package v1\n\ntype Other struct {\n\t// +k8s:maxLenght=5\n\tName string `json:"name"`\n}\n'
    bad.write_text(text)
    (hostile.project / "apis/v1/other.go").symlink_to(bad)
    done = hostile.run("lint", "--fix")
    assert f"it is a link that leads out of {hostile.project}" in done.output
    assert "leads out of" in hostile.run("lint", "--fix", "--trust").output  # trust is not for what nobody has named
    assert bad.read_text() == text
    hostile.write("validation-gen.toml", 'inputs = ["apis", "../other.go"]\n')
    assert "outside of the project" in hostile.run("lint", "--fix").output
    assert bad.read_text() == text
    assert "outside of the project" not in hostile.run("lint", "--fix", "--trust").output
    assert bad.read_text() != text


# --- the list --------------------------------------------------------------------------------------------------------


def check(hostile: Hostile) -> str:
    return hostile.run("validate", "-f", "box.json").output


def test_a_project_is_trusted_until_something_changes(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hostile.run("config", "trust", "--dry-run").exit_code == 0
    assert not hostile.store.exists()
    done = hostile.run("config", "trust")
    assert done.exit_code == 0
    assert "runs checks.py, by custom-validations:3" in done.output
    assert "runs python:checks:agrees (checks.py)" in done.output
    assert hostile.ran == []
    assert [hostile.store.stat().st_mode & 0o777, hostile.store.parent.stat().st_mode & 0o777] == [0o600, 0o700]
    assert "VG911" not in check(hostile)
    (hostile.root / "spelling").symlink_to("foreign")
    monkeypatch.chdir(hostile.root / "spelling" / "apis" / "..")
    assert "VG911" not in check(hostile)
    text = (hostile.project / "checks.py").read_text()
    hostile.write("checks.py", text + "# another\n")
    assert "checks.py changed after the project was trusted" in check(hostile)
    assert "not trusted any more, as" in hostile.run("config", "trust", "--list").output
    hostile.write("checks.py", text)
    assert "VG911" not in check(hostile)
    hostile.configure("# another\n")
    assert "validation-gen.toml changed after the project was trusted" in check(hostile)


def test_a_file_that_comes_before_another_is_a_change(hostile: Hostile) -> None:
    hostile.run("config", "trust")
    (hostile.project / "checks").mkdir()
    hostile.write("checks/__init__.py", "")
    assert "checks/__init__.py changed" in check(hostile)


def test_a_place_that_leads_elsewhere_is_a_change(hostile: Hostile) -> None:
    hostile.configure(after='[outputs]\npython = "out/there"\n')
    hostile.run("config", "trust")
    (hostile.project / "out").symlink_to("..")
    assert hostile.run("generate").exit_code == 2
    assert "there is" in hostile.run("generate").output
    assert hostile.run("config", "trust").exit_code == 0
    assert hostile.run("generate").exit_code == 0


def test_a_link_to_a_trusted_configuration_is_not_trusted(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.run("config", "trust")
    other = hostile.root / "link"
    other.mkdir()
    (other / "validation-gen.toml").symlink_to("../foreign/validation-gen.toml")
    for name in ("apis", "box.json"):
        (other / name).symlink_to(f"../foreign/{name}")
    (other / "checks.py").write_text((hostile.project / "checks.py").read_text())
    monkeypatch.chdir(other)
    assert "as only the project's configuration names it" in check(hostile)
    assert hostile.ran == []


def test_trust_is_taken_back(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.run("config", "trust")
    assert hostile.run("config", "trust", "--revoke", "apis").exit_code == 0  # whose configuration is above
    assert "VG911" in check(hostile)
    assert hostile.run("config", "trust", "--revoke").exit_code == 2
    hostile.run("config", "trust", "validation-gen.toml")
    monkeypatch.chdir(hostile.root)
    hostile.project.rename(hostile.root / "gone")
    assert hostile.run("config", "trust", "--revoke", "foreign").exit_code == 0
    assert "0 projects" in hostile.run("config", "trust", "--list").output


def _pipe(store: Path) -> None:
    store.unlink()
    os.mkfifo(store)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda store: store.chmod(0o620), "others can write to"),
        (lambda store: store.parent.chmod(0o770), "others can write to"),
        (lambda store: store.parent.parent.chmod(0o777), "others can write to"),
        (lambda store: store.write_text("{"), "holds something else"),
        (lambda store: store.write_text("[" * 100_000), "holds something else"),
        (lambda store: store.write_text('{"version": 1, "projects": {"a": 1}}'), "holds something else"),
        (lambda store: store.write_bytes(b"\xff\x00"), "holds something else"),
        (lambda store: (store.rename(store.parent / "x"), store.symlink_to("x")), "is no regular file"),
        (_pipe, "is no regular file"),
        (lambda store: (store.unlink(), store.mkdir()), "is no regular file"),
    ],
    ids=lambda value: "" if callable(value) else value,
)
def test_a_list_that_others_may_have_written_is_not_believed(hostile: Hostile, spoil: object, why: str) -> None:
    hostile.run("config", "trust")
    assert callable(spoil)
    spoil(hostile.store)
    done = check(hostile)
    assert "VG911" in done
    assert "as the list of trusted projects cannot be believed" in done
    assert why in done
    assert hostile.ran == []
    assert hostile.run("config", "trust").exit_code == 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_list_of_somebody_else_is_not_believed(hostile: Hostile) -> None:
    hostile.run("config", "trust")
    os.chown(hostile.store, 12345, -1)
    assert "belongs to another user" in check(hostile)


def test_without_a_home(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    assert "as only the project's configuration names it" in check(hostile)
    done = hostile.run("config", "trust")
    assert done.exit_code == 2
    assert "give --trust to each command" in done.output
    monkeypatch.setenv("XDG_CONFIG_HOME", "foreign")  # a relative one does not count
    assert hostile.run("config", "trust").exit_code == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere"], "VG901"),
        ([""], "the path is empty"),
        (["--list", "--revoke"], "choose one"),
        (["apis/v1/types.go"], "VG906"),
        (["--format", "json", "nowhere"], '"VG901"'),
    ],
)
def test_mistakes(hostile: Hostile, args: list[str], said: str) -> None:
    done = hostile.run("config", "trust", *args)
    assert done.exit_code == 2
    assert said in done.output


def test_nothing_to_trust(hostile: Hostile) -> None:
    hostile.write("validation-gen.toml", 'inputs = ["apis"]\n')
    assert "there is nothing to trust" in hostile.run("config", "trust").output
    (hostile.project / "validation-gen.toml").unlink()
    assert hostile.run("config", "trust").exit_code == 2
    hostile.write("validation-gen.toml", 'custom-validations = ["gone.py"]\n')
    assert "VG901" in hostile.run("config", "trust").output
    assert not hostile.store.exists()


def test_checks_import_what_lies_beside_them(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (hostile.project / "checks.py").read_text()
    hostile.write("checks.py", f"import beside_checks, types\nassert types.ModuleType\n{text}")
    hostile.write("beside_checks.py", "")
    hostile.write("types.py", "raise RuntimeError\n")
    monkeypatch.chdir("apis")
    assert hostile.run("validate", "-f", "../box.json", "--trust").exit_code == 1
    done = hostile.run("compare", "-f", "../box.json", "--jobs", "2", "--trust")
    assert "1 mismatch" in done.output
    hostile.write("checks.py", f"import nowhere_at_all\n{text}")
    for args in (["validate", "-f", "../box.json"], ["generate", "--emit", "harness"]):
        done = hostile.run(*args, "--trust")
        assert done.exit_code == 1
        assert "beside it" in done.output


def test_results_that_come_with_a_project_are_not_believed(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(hostile.home / "cache"))
    hostile.configure('cache-dir = "kept"')
    for args, here in ((["lint"], False), (["lint", "--trust"], True), (["lint", "--cache-dir", "kept"], True)):
        assert hostile.run(*args).exit_code == 0
        assert (hostile.project / "kept").exists() is here
        if here:
            shutil.rmtree(hostile.project / "kept")
    assert (hostile.home / "cache" / "validation-gen").is_dir()
