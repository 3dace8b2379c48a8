"""The manifests of docs/howto-dask-kubernetes.md: kubectl takes them, they fit together, and Dask does as they say."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.blocks import ROOT, blocks

FILES = (
    "dask/settings.yaml",
    "dask/scheduler.yaml",
    "dask/workers.yaml",
    "dask/network.yaml",
    "dask/client.yaml",
)


@cache
def texts() -> dict[str, str]:
    found = blocks(ROOT / "docs" / "howto-dask-kubernetes.md")
    return {block.marks["file"]: block.text for block in found if "file" in block.marks}


def manifests() -> list[dict[str, Any]]:
    return [each for text in texts().values() for each in yaml.safe_load_all(text)]


def pods() -> dict[str, dict[str, Any]]:
    """The templates of pods, by what they are."""
    found = [each["spec"]["template"] for each in manifests() if "template" in each.get("spec", {})]
    return {each["metadata"]["labels"]["app.kubernetes.io/component"]: each for each in found}


def container(component: str) -> dict[str, Any]:
    (found,) = pods()[component]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def settings() -> dict[str, str]:
    (found,) = [each["data"] for each in manifests() if each["kind"] == "ConfigMap"]
    assert isinstance(found, dict)
    return found


def test_all_of_them_are_tried() -> None:
    assert set(texts()) == set(FILES)
    assert set(pods()) == {"scheduler", "worker", "client"}


# --- kubectl ----------------------------------------------------------------------------------------------------------

_KINDS = {
    "v1": {"ServiceAccount": "serviceaccounts", "ConfigMap": "configmaps", "Service": "services"},
    "apps/v1": {"Deployment": "deployments"},
    "batch/v1": {"Job": "jobs"},
    "networking.k8s.io/v1": {"NetworkPolicy": "networkpolicies"},
}


class _Discovery(BaseHTTPRequestHandler):
    """Says which kinds there are, and has no objects: that much kubectl asks before it prints what it would do."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].strip("/")
        body: dict[str, Any] | None = None
        if path == "api":
            body = {"kind": "APIVersions", "versions": ["v1"]}
        elif path == "apis":
            versions = [{"groupVersion": each, "version": "v1"} for each in _KINDS if "/" in each]
            groups = [
                {"name": each["groupVersion"].partition("/")[0], "versions": [each], "preferredVersion": each}
                for each in versions
            ]
            body = {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
        elif (version := path.removeprefix("apis/").removeprefix("api/")) in _KINDS:
            resources = [
                {"name": name, "kind": kind, "namespaced": True, "verbs": ["get", "create", "patch"]}
                for kind, name in _KINDS[version].items()
            ]
            body = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": resources}
        code = 200 if body else 404
        missing = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}
        answer = json.dumps(body or missing).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kubectl_takes_them(tmp_path: Path) -> None:
    folder = tmp_path / "dask"
    folder.mkdir()
    for file, text in texts().items():
        (tmp_path / file).write_text(text)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Discovery) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        # A server has the schemas that --validate asks for; tests do without.
        command = ["kubectl", "--server", address, "--namespace", "corpora", "apply", "--dry-run=client"]
        environ = {**os.environ, "HOME": str(tmp_path), "KUBECONFIG": os.devnull}
        done = subprocess.run(
            [*command, "--validate=false", "-f", str(folder)], env=environ, capture_output=True, text=True, check=False
        )
        server.shutdown()
    assert done.returncode == 0, done.stderr
    assert sorted(line.partition(" ")[0] for line in done.stdout.splitlines()) == [
        "configmap/dask-settings",
        "deployment.apps/dask-scheduler",
        "deployment.apps/dask-worker",
        "job.batch/compare-fleet",
        "networkpolicy.networking.k8s.io/dask",
        "service/dask-scheduler",
        "serviceaccount/dask",
    ]


# --- what they say ----------------------------------------------------------------------------------------------------


def test_no_pod_can_more_than_it_must() -> None:
    for pod in pods().values():
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        (only,) = spec["containers"]
        assert only["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert only["resources"]["limits"]["memory"] == only["resources"]["requests"]["memory"]
        mounts = {mount["name"]: mount for mount in only["volumeMounts"]}
        assert set(mounts) == {volume["name"] for volume in spec["volumes"]}
        assert mounts["tls"] == {"name": "tls", "mountPath": "/tls", "readOnly": True}


def test_selectors_ports_and_files_fit_together() -> None:
    by_kind = {(each["kind"], each["metadata"]["name"]): each for each in manifests()}
    for kind, name in [("Deployment", "dask-scheduler"), ("Deployment", "dask-worker")]:
        spec = by_kind[kind, name]["spec"]
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    service = by_kind["Service", "dask-scheduler"]["spec"]
    assert service["selector"] == pods()["scheduler"]["metadata"]["labels"]
    policy = by_kind["NetworkPolicy", "dask"]["spec"]
    chosen = policy["podSelector"]["matchLabels"].items()
    assert all(chosen <= pod["metadata"]["labels"].items() for pod in pods().values())
    ((rule,), toward) = policy["ingress"], policy["egress"][0]
    assert rule["from"] == toward["to"] == [{"podSelector": policy["podSelector"]}]
    ports = [port["port"] for port in rule["ports"]]
    assert ports == [port["port"] for port in toward["ports"]] == [8786, 8790]
    assert service["ports"] == [{"name": "tls", "port": 8786, "targetPort": "tls"}]
    assert "--worker-port=8790" in container("worker")["args"]
    address = "tls://dask-scheduler:8786"
    assert address in container("worker")["args"]
    assert f"--cluster={address}" in container("client")["args"]


# --- Dask -------------------------------------------------------------------------------------------------------------


def test_the_settings_are_those_of_dask() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
    config = distributed.config
    for name in settings():
        if name.startswith("DASK_"):
            at: Any = config
            for key in name.removeprefix("DASK_").lower().replace("_", "-").split("--"):
                assert key in at, name
                at = at[key]


@pytest.mark.process
def test_dask_does_as_they_say(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
    trustme = pytest.importorskip("trustme")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.crt")
    own = authority.issue_cert("dask")
    own.private_key_pem.write_to_path(tmp_path / "tls.key")
    own.cert_chain_pems[0].write_to_path(tmp_path / "tls.crt")
    environ = {name: text.replace("/tls/", f"{tmp_path}/") for name, text in settings().items()}
    scheduler, worker = _free_port(), _free_port()

    def ours(args: list[str]) -> list[str]:
        """The arguments for this machine, where others have the ports."""
        changed = [each.replace("dask-scheduler:8786", f"127.0.0.1:{scheduler}") for each in args]
        changed = [each.replace("8790", str(worker)).replace(":8787", "127.0.0.1:0") for each in changed]
        return [str(scheduler) if each == "8786" else each.replace("/tmp", str(tmp_path)) for each in changed]

    client = tmp_path / "client.py"
    client.write_text(_CLIENT.format(address=f"tls://127.0.0.1:{scheduler}"))
    with _started(ours(container("scheduler")["args"]), environ), _started(ours(container("worker")["args"]), environ):
        done = subprocess.run(
            [sys.executable, str(client)], env=_environ(environ), capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "True"]


_CLIENT = """\
from contextlib import closing

from validation_gen.commands.distributed import dask_engine
from validation_gen.commands.distributed.dask_engine import DaskEngine
from validation_gen.commands.distributed.engines import Cluster

dask_engine._PATIENCE = 120
with closing(DaskEngine(Cluster({address!r}))) as engine:
    print(len(engine._client.nthreads()), engine._client.submit(abs, -1).result() == 1)
"""


def _environ(more: dict[str, str]) -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **more, "PYTHONPATH": paths}


@contextmanager
def _started(args: list[str], environ: dict[str, str]) -> Iterator[None]:
    assert args[0] == "dask"
    with subprocess.Popen(
        [sys.executable, "-m", *args], env=_environ(environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGKILL)


def _free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
