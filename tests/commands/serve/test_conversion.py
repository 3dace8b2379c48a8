"""The webhook of docs/howto-conversion.md: it converts for us, and for an API server where one is named."""

from __future__ import annotations

import base64
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Program
from tests.commands.serve.serving import Process
from tests.docs.blocks import ROOT, blocks

PAGE = ROOT / "docs" / "howto-conversion.md"
#: Names the address of an API server that answers without a certificate, such as that of `kubectl proxy`.
VARIABLE = "VALIDATION_GEN_KUBERNETES"
NAME = "robots.robots.example.com"


@pytest.fixture
def shown(tmp_path: Path) -> dict[str, str]:
    """The files of the page, and what it shows of each command."""
    found = {}
    for block in blocks(PAGE):
        if file := block.marks.get("file"):
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).write_text(block.text)
        elif block.language == "console":
            command, _, output = block.text.partition("\n")
            found[command.split()[3]] = output
    return found


@pytest.fixture
def webhook(tmp_path: Path, shown: dict[str, str]) -> Iterator[Process]:
    running = Process(tmp_path, "robots", "--with", "conversions.py", "--self-signed", "--write-ca", "ca.crt")
    try:
        yield running
    finally:
        assert running.end() == 130


@pytest.mark.process
def test_what_the_page_shows(tmp_path: Path, shown: dict[str, str], webhook: Process) -> None:
    bundle = webhook.lines_until("caBundle: ").removeprefix("caBundle: ").strip()
    assert base64.b64decode(bundle) == (tmp_path / "ca.crt").read_bytes()
    told = webhook.told.replace(f":{webhook.port}", ":9443").replace(" --url https://127.0.0.1:9443", "")
    assert told.replace(bundle, f"{bundle[:32]}…") == shown["serve"]
    done = Program(tmp_path)(
        *("webhook", "review", "-f", "talos.yaml", "--to", "v1", "--ca", "ca.crt", "-o", "yaml"),
        *("--url", f"https://127.0.0.1:{webhook.port}"),
    )
    assert (done.code, done.out, done.err) == (0, shown["review"], "")


def _ask(method: str, path: str, body: Any = None) -> Any:
    url = os.environ[VARIABLE].rstrip("/") + path
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def _ask_again(method: str, path: str, body: Any = None) -> Any:
    """Asks until the server has taken in a definition that is new to it."""
    for _ in range(60):
        try:
            return _ask(method, path, body)
        except urllib.error.HTTPError:
            time.sleep(0.5)
    return _ask(method, path, body)


@pytest.mark.skipif(
    VARIABLE not in os.environ, reason=f"{VARIABLE} must name an API server, such as http://127.0.0.1:8001"
)
def test_a_server_asks_it(tmp_path: Path, webhook: Process) -> None:
    assert Program(tmp_path)("crd", "robots").code == 0
    definition = yaml.safe_load((tmp_path / "crds/robots.example.com_robots.yaml").read_text(encoding="utf-8"))
    definition["spec"]["conversion"]["webhook"]["clientConfig"] = {
        "url": f"https://127.0.0.1:{webhook.port}/convert",
        "caBundle": base64.b64encode((tmp_path / "ca.crt").read_bytes()).decode(),
    }
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    _ask("POST", definitions, definition)
    try:
        group = "/apis/robots.example.com"
        talos = yaml.safe_load((tmp_path / "talos.yaml").read_text(encoding="utf-8"))
        _ask_again("POST", f"{group}/v1alpha1/namespaces/default/robots", talos)
        found = _ask("GET", f"{group}/v1/namespaces/default/robots/talos")
        assert (found["apiVersion"], found["spec"]) == (
            "robots.example.com/v1",
            {"model": "bronze", "battery": {"capacity": 90}},
        )
        assert _ask("GET", f"{group}/v1alpha1/namespaces/default/robots/talos")["spec"] == talos["spec"]
    finally:
        _ask("DELETE", f"{definitions}/{NAME}")
