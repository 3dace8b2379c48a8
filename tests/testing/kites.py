"""A kind of the tests, and a client of plain HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

_SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "size": {"type": "integer", "maximum": 100},
                "tails": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "length": {"type": "integer"}},
                    },
                },
            },
        },
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    },
}
KITES = "/apis/example.com/v1/namespaces/default/kites"


def definition(*, plural: str = "kites", kind: str = "Kite", versions: tuple[str, ...] = ("v1",)) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"plural": plural, "kind": kind},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": name == "v1",
                    "subresources": {"status": {}},
                    "schema": {"openAPIV3Schema": _SCHEMA},
                }
                for name in versions
            ],
        },
    }


def kite(name: str = "red", size: int = 3, **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "example.com/v1",
        "kind": "Kite",
        "metadata": {"name": name, **metadata},
        "spec": {"size": size},
    }


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.code, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(url: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """Sends one request over a connection of its own."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    try:
        given = {"Content-Type": "application/json", "User-Agent": "raw/1.0"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, None if body is None else json.dumps(body), given)
        return Answer(connection.getresponse())
    finally:
        connection.close()


@contextmanager
def watching(url: str, query: str = "", *, timeout: float = 5, path: str = KITES) -> Iterator[Iterator[dict[str, Any]]]:
    """Opens a watch, and yields its events."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
    try:
        connection.request("GET", f"{path}?watch=1{query}", headers={"User-Agent": "raw/1.0"})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        yield map(json.loads, response)
    finally:
        connection.close()
