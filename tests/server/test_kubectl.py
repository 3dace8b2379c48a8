"""kubectl prints with the API server what it has printed with a real one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.server.process import served
from tests.server.replay import scenarios
from tests.server.test_core_kubectl import find_kubectl

pytestmark = [pytest.mark.slow, pytest.mark.process]

TRANSCRIPTS = Path(__file__).parents[2] / "testdata" / "kubectl"
_HOLDERS = [
    (re.compile(r"^[EI]\d{4} .*reflector\.go.*\n", re.MULTILINE), ""),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<uid>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000"), "<time>"),
    (re.compile(r"W\d{4} \d\d:\d\d:\d\d\.\d+ +\d+"), "W<time>"),
    (re.compile(r'(resourceVersion"?: |Resource Version: )\s*"?\d+"?'), r"\1<rv>"),
    (re.compile(r"\S*/(?=(?:LIVE|MERGED)-\d+/)"), "<tmp>/"),
    (re.compile(r"(?<=LIVE-)\d+|(?<=MERGED-)\d+"), "<n>"),
    (re.compile(r"(?<=\s)\d+[smhdy](\d+[smhd])?(?=[\s)]|$)"), "<age>"),
    (re.compile(r" +$", re.MULTILINE), ""),
    (re.compile(r"(?<=\S)   +"), "  "),
]


@dataclass(frozen=True)
class Output:
    exit: int | str
    stdout: str
    stderr: str

    def generalize(self) -> Output:
        return Output(self.exit, generalize(self.stdout), generalize(self.stderr))


def generalize(text: str) -> str:
    """Replaces values that differ from run to run, and the widths of columns, which depend on them."""
    for pattern, holder in _HOLDERS:
        text = pattern.sub(holder, text)
    return text


@dataclass(frozen=True)
class Kubectl:
    """kubectl with a home directory, and a namespace of a server."""

    home: Path
    port: int
    namespace: str = "ns1"

    def __post_init__(self) -> None:
        context = {"cluster": "own", "user": "own", "namespace": self.namespace}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "own", "cluster": {"server": f"http://127.0.0.1:{self.port}"}}],
            "users": [{"name": "own", "user": {}}],
            "contexts": [{"name": "own", "context": context}],
            "current-context": "own",
        }
        (self.home / "config").write_text(json.dumps(config), encoding="utf-8")

    def run(self, *words: str, stdin: str = "") -> Output:
        environment = {
            **os.environ,
            "HOME": str(self.home),
            "KUBECONFIG": str(self.home / "config"),
            "KUBE_EDITOR": "true",
            "PATH": f"{find_kubectl().parent}{os.pathsep}{os.environ['PATH']}",
            "TZ": "UTC",
        }
        ran = subprocess.run(
            words, cwd=self.home, env=environment, input=stdin, capture_output=True, text=True, timeout=60, check=False
        )
        return Output(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("server"), str(TRANSCRIPTS / "boats.yaml")) as server:
        yield server.port


def split(command: str) -> Sequence[str]:
    """Returns the words of a recorded command. The last one is JSON after `-p`."""
    head, flag, patch = command.partition(" -p ")
    return [*head.split(), *([flag.strip(), patch] if flag else [])]


#: Commands with another output: the reason, the exit code, and words that are printed.
DEVIATIONS = {
    "api-resources": ("ours has built-in kinds", 0, "widgets wix shop.example.com/v1 true Widget"),
    "api-versions": ("ours has built-in kinds", 0, "apiextensions.k8s.io/v1 authentication.k8s.io/v1"),
    "auth-cani": ("the recorded server had no reviews", 0, "yes"),
    "create-ns": ("the recorded server had no namespaces", 1, 'namespaces "ns1" already exists'),
    "delete-all": ("the object of delete-cascade is not there", 0, '"unk" deleted from ns1 namespace'),
    "delete-cascade": ("the recorded server collected nothing", 0, '"cs" deleted from ns1 namespace'),
    "events": ("the recorded server had no events", 0, "No resources found in ns1 namespace."),
    "explain-v2": (
        "ours has texts of its own",
        0,
        "KIND: Widget VERSION: shop.example.com/v1 DESCRIPTION: <empty> FIELDS:",
    ),
    "get-missing": ("the recorded server had no namespaces", 1, '(NotFound): widgets.shop.example.com "missing" not'),
    "get-ns": ("the recorded server had no namespaces", 0, "ns1 Active"),
}


def test_commands_print_what_they_printed_with_a_real_server(tmp_path: Path, port: int) -> None:
    kubectl = Kubectl(tmp_path, port)
    failures = []
    for scenario in scenarios("kubectl"):
        name = scenario["id"].rpartition("/")[2]
        wanted = Output(scenario["exit"], scenario["stdout"], scenario["stderr"]).generalize()
        if name != "get-cached":
            shutil.rmtree(tmp_path / ".kube", ignore_errors=True)
        output = kubectl.run(*split(scenario["command"]), stdin=scenario.get("stdin", "")).generalize()
        if name in DEVIATIONS:
            _, code, words = DEVIATIONS[name]
            wanted = Output(code, output.stdout, output.stderr)
            if words not in " ".join((output.stdout + output.stderr).split()):
                failures.append(f"--- {name}: {output} without {words}")
        if output != wanted:
            failures.append(f"--- {name}: {scenario['command']}\n{output}\ninstead of\n{wanted}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("name", ["applies", "changes", "deletes", "outputs", "questions", "waits"])
def test_transcripts(name: str, tmp_path: Path, port: int) -> None:
    for manifest in TRANSCRIPTS.glob("*.yaml"):
        shutil.copy(manifest, tmp_path)
    kubectl = Kubectl(tmp_path, port, name)
    wanted = (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8")
    lines: list[str] = []
    for command in re.findall(r"^\$ (.*)$", wanted, re.MULTILINE):
        output = kubectl.run("sh", "-c", f"exec 2>&1\n{command}")
        printed = generalize(output.stdout).rstrip().splitlines()
        lines += [f"$ {command}", *printed, *([f"[{output.exit}]"] if output.exit else [])]
    assert lines == wanted.splitlines()
