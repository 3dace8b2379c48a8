"""`validation-gen apiserver` in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer
from typer.core import TyperCommand

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from tests.program import run
from tests.tables import each
from validation_gen.apiserver.storage import StoreError
from validation_gen.apiserver.storage.sqlite import SqliteStore
from validation_gen.cli.apiserver import COMMAND
from validation_gen.cli.app import Late

if TYPE_CHECKING:
    from tests.server.stores import Etcd

KIND = definition(root({"type": "object", "properties": {"model": {"type": "string", "maxLength": 5}}}))
#: Asks the server of the kubeconfig, with and without its token.
CLIENT = """
import base64, json, os, ssl, sys, urllib.error, urllib.request
config = json.load(open(os.environ["KUBECONFIG"]))
cluster, token = config["clusters"][0]["cluster"], config["users"][0]["user"]["token"]
context = ssl.create_default_context(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
def ask(path, token):
    request = urllib.request.Request(cluster["server"] + path, headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request, context=context, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as problem:
        return problem.code, json.load(problem)
print(json.dumps([ask(sys.argv[1], token), ask(sys.argv[1], "wrong")]))
sys.exit(3)
"""


def start(cwd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "validation_gen", "apiserver", *args]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "crd.json").write_text(json.dumps(KIND), encoding="utf-8")
    names, group = KIND["spec"]["names"], KIND["spec"]["group"]
    version = KIND["spec"]["versions"][0]["name"]
    obj = {
        "apiVersion": f"{group}/{version}",
        "kind": names["kind"],
        "metadata": {"name": "talos"},
        "spec": {"model": "x"},
    }
    (tmp_path / "obj.json").write_text(json.dumps(obj), encoding="utf-8")
    return tmp_path


@pytest.mark.process
def test_a_command_runs_beside_the_server(here: Path) -> None:
    names, group = KIND["spec"]["names"], KIND["spec"]["group"]
    path = f"/apis/{group}/{KIND['spec']['versions'][0]['name']}/{names['plural']}"
    words = ["-f", "obj.json", "--data", "state.db", "--audit-log", "audit.log"]
    ran = start(here, "crd.json", *words, "--", sys.executable, "-c", CLIENT, path)
    assert ran.returncode == 3, ran.stderr
    (code, found), (refused, status) = json.loads(ran.stdout)
    assert code == 200
    assert [item["metadata"]["name"] for item in found["items"]] == ["talos"]
    assert (refused, status["reason"]) == (401, "Unauthorized")
    last = json.loads((here / "audit.log").read_text(encoding="utf-8").splitlines()[-1])
    assert (last["verb"], last["requestURI"], last["responseStatus"]["code"]) == ("list", path, 200)
    assert last["level"] == "Metadata"
    assert last["user"]["username"] == "kubernetes-admin"
    # The file has the objects for the next server.
    (here / "state").mkdir()
    (here / "state.db").rename(here / "state/objects.db")
    again = start(here, "--data", "state", "--", sys.executable, "-c", CLIENT, path)
    assert json.loads(again.stdout)[0][1]["items"] == found["items"]


@pytest.mark.process
def test_a_server_with_etcd(here: Path, etcd: Etcd) -> None:
    path = f"/apis/{KIND['spec']['group']}/{KIND['spec']['versions'][0]['name']}/{KIND['spec']['names']['plural']}"
    ran = start(here, "crd.json", "-f", "obj.json", "--etcd", etcd.url, "--", sys.executable, "-c", CLIENT, path)
    assert ran.returncode == 3, ran.stderr
    assert [item["metadata"]["name"] for item in json.loads(ran.stdout)[0][1]["items"]] == ["talos"]


@each(
    "args, code, text",
    [
        (["--etcd", "localhost:2379"], 2, "must be a URL such as http://127.0.0.1:2379"),
        (["--etcd", "http://127.0.0.1:1", "--data", "state.db"], 2, "cannot be combined with --data"),
        (["--etcd", "http://127.0.0.1:1"], 2, "error: the store cannot be used: etcd at 127.0.0.1:1 does not answer"),
    ],
    ids=str,
)
def test_an_etcd_that_cannot_be_used_is_refused(args: list[str], code: int, text: str, tmp_path: Path) -> None:
    ran = run(["apiserver", *args, "--", "true"], b"", tmp_path, os.environ)
    assert (ran.returncode, text in " ".join(ran.stderr.decode().split())) == (code, True), ran.stderr


@pytest.mark.process
def test_a_refused_object_ends_the_start(here: Path) -> None:
    obj = json.loads((here / "obj.json").read_text(encoding="utf-8"))
    obj["spec"]["model"] = "too long"
    (here / "obj.json").write_text(json.dumps(obj), encoding="utf-8")
    ran = start(here, "crd.json", "-f", "obj.json", "--", "true")
    assert ran.returncode == 1
    assert ran.stderr.startswith("obj.json:1: error: ")
    assert "spec.model: Too long: may not be more than 5" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.process
def test_a_file_that_is_no_store_is_refused(here: Path) -> None:
    (here / "state.db").write_text("no database\n" * 200, encoding="utf-8")
    ran = start(here, "crd.json", "--data", "state.db", "--", "true")
    assert ran.returncode not in (0, 1)
    assert "the store cannot be used" in ran.stderr
    assert os.path.getsize(here / "state.db") == len("no database\n") * 200  # noqa: PTH202 - one look at the file


@each(
    "content, words, text",
    [
        ("- a", ["-f", "it.yaml"], "it.yaml:1:1: error VG905 an object needs apiVersion and kind"),
        ("kind: ConfigMap", ["-f", "it.yaml"], "it.yaml:1:1: error VG905 an object needs apiVersion and kind"),
        ("{apiVersion: v1, kind: ConfigMap, metadata: 5}", ["-f", "it.yaml"], "VG905 `metadata` must be an object"),
        ("{apiVersion: v1, kind: ConfigMap}", ["it.yaml"], "it.yaml: error VG902 there are no definitions here"),
        ("", ["--data", "no/such/file"], "the store cannot be used: no/such/file: unable to open database file"),
    ],
    ids=str,
)
def test_a_mistake_is_reported_with_its_place(content: str, words: list[str], text: str, tmp_path: Path) -> None:
    (tmp_path / "it.yaml").write_text(content, encoding="utf-8")
    ran = run(["apiserver", *words, "--", "true"], b"", tmp_path, os.environ)
    assert (ran.returncode, text in ran.stderr.decode()) == (2, True), ran.stderr


def test_a_command_needs_the_dashes(tmp_path: Path) -> None:
    command = Path(sys.executable)
    environment = {**os.environ, "PATH": str(command.parent)}
    text = f"{command.name} is a command, and no file; write `-- {command.name} …`"
    ran = run(["apiserver", command.name], b"", tmp_path, environment)
    assert (ran.returncode, text in " ".join(ran.stderr.decode().split())) == (2, True), ran.stderr


def test_a_command_must_come_after_the_dashes(tmp_path: Path) -> None:
    ran = run(["apiserver", "--"], b"", tmp_path, os.environ)
    assert (ran.returncode, "a command must come after it" in ran.stderr.decode()) == (2, True), ran.stderr


@pytest.mark.process
def test_a_start_that_fails_names_the_port_or_the_command(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        ran = start(tmp_path, "--port", str(port), "--", "true")
    assert (ran.returncode, ran.stderr) == (2, f"error: Address already in use: 127.0.0.1:{port}\n")
    ran = start(tmp_path, "--", "no-such-command")
    assert (ran.returncode, ran.stderr) == (2, "error: No such file or directory: the command no-such-command\n")


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with contextlib.closing(sqlite3.connect(path)) as theirs:
        theirs.execute("CREATE TABLE writes (a)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="it is a database of another program"):
        asyncio.run(SqliteStore(path).start(lambda changes: None, lambda: None))
    assert path.read_bytes() == before


def test_a_second_server_on_one_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "connect", functools.partial(sqlite3.connect, timeout=0))

    async def scenario() -> None:
        first = SqliteStore(tmp_path / "state.db")
        await first.start(lambda changes: None, lambda: None)
        with pytest.raises(StoreError, match="another server has the file open"):
            await SqliteStore(tmp_path / "state.db").start(lambda changes: None, lambda: None)
        await first.close()

    asyncio.run(scenario())


def test_the_server_collects_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    monkeypatch.setattr(gc, "isenabled", lambda: False)
    for name in ("enable", "freeze", "set_threshold"):
        monkeypatch.setattr(gc, name, lambda *args, name=name: called.append(name))
    program = typer.Context(TyperCommand("validation-gen"), info_name="validation-gen")
    context = Late(name="apiserver").make_context("apiserver", ["--", "kubectl"], parent=program)
    assert context.meta[COMMAND] == ["kubectl"]
    assert "enable" in called


@pytest.mark.process
def test_a_signal_during_the_start_leaves_no_files(here: Path) -> None:
    temporary = here / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "validation_gen", "apiserver", "crd.json"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, cwd=here, env=environment, stdout=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not any(temporary.iterdir()):
            assert time.monotonic() < deadline
            time.sleep(0.001)
        process.terminate()
        assert process.wait(60) == 0
    assert not list(temporary.iterdir())
