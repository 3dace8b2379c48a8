"""The API server in a process of its own, for tests of what a process alone shows."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root

_PROPERTIES = {"count": {"type": "integer"}, "text": {"type": "string"}}
KIND = definition(root({"type": "object", "properties": _PROPERTIES}))
_VERSION, _NAMES = KIND["spec"]["versions"][0]["name"], KIND["spec"]["names"]
_GROUP_VERSION = f"{KIND['spec']['group']}/{_VERSION}"
URL = f"/apis/{_GROUP_VERSION}/namespaces/a/{_NAMES['plural']}"


@dataclass
class Served:
    """A running server, which answers plain HTTP at a port."""

    process: subprocess.Popen[str]
    port: int
    errors: Path

    @property
    def resident(self) -> int:
        """The resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        [line] = [line for line in status.splitlines() if line.startswith("VmRSS")]
        return int(line.split()[1]) << 10

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)


@contextmanager
def served(directory: Path, *words: str, files: int = 0) -> Iterator[Served]:
    """Runs a server for `KIND`, which may open some files, 0 for as many as this process, and kills it."""
    (directory / "crd.json").write_text(json.dumps(KIND), encoding="utf-8")
    command = [sys.executable, "-m", "validation_gen", "apiserver", "crd.json", "--insecure-port", "0", *words]
    if files:
        command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
    errors = directory / "errors"
    with (
        errors.open("w") as file,
        subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=file, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("without TLS"):
                    yield Served(process, int(line.rsplit(":", 1)[1]), errors)
                    break
        finally:
            process.kill()


def make(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": _GROUP_VERSION, "kind": _NAMES["kind"], "metadata": {"name": name}, "spec": spec}


def ask(client: http.client.HTTPConnection, method: str, url: str, body: Any = None) -> tuple[int, Any]:
    headers = {"Content-Type": "application/merge-patch+json" if method == "PATCH" else "application/json"}
    client.request(method, url, None if body is None else json.dumps(body), headers)
    answer = client.getresponse()
    return answer.status, json.loads(answer.read())
