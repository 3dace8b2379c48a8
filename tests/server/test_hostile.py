"""Hostile requests end with words or a code of 4xx, and leave the server as it was."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.server.asking import Answer, Asking, in_server, serving
from validation_gen.apiserver import application
from validation_gen.webhooks.bodies import Limits

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_ROBOTS = "/apis/example.com/v1/namespaces/a/robots"
_FREE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_ITEM = {"type": "object", "properties": {"k": {"type": "string"}}}
_SPEC = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "name": {"type": "string", "maxLength": 10},
        "free": _FREE,
        "items": {"type": "array", "items": _ITEM},
    },
    "x-kubernetes-validations": [{"rule": "!has(self.count) || self.count < 100"}],
}
JSON, YAML, MERGE = "application/json", "application/yaml", "application/merge-patch+json"
JSON_PATCH, APPLY = "application/json-patch+json", "application/apply-patch+yaml"


def robot(meta: Any = None, **more: Any) -> dict[str, Any]:
    given = {"name": "r"} if meta is None else {"name": "r", **meta} if isinstance(meta, dict) else meta
    return {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": given, "spec": {}, **more}


def _deep(depth: int) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = {"a": found}
    return found


_GOOD = json.dumps(robot(spec={"count": 5}))
_ENTRY = {"apiVersion": "example.com/v1", "operation": "Update", "manager": "x", "fieldsType": "FieldsV1"}
#: Texts that are no objects, or odd ones.
_TEXTS: list[str | bytes] = [
    *("", " ", "null", "[]", "{}", "0", '"x"', "{", "[", '"', '{"a":}', "\0", "\t", "[" * 100_000, '{"a":' * 100_000),
    *(_GOOD.replace("5", number) for number in ("1" * 5000, "1e999", "-1e999", "NaN", "Infinity", "1.5", "1e400000")),
    _GOOD.replace('"count"', '"count": 1, "count"'),
    *(_GOOD.replace('"r"', name) for name in ('"\\ud800"', '"\\u0000"', '"../../x"', '"a/b"', "5", "[]", "null")),
    _GOOD.encode().replace(b'"r"', b'"\xff"'),
    _GOOD.encode("utf-16"),
    gzip.compress(_GOOD.encode()),
    gzip.compress(b" " * 10_000_000),
    b"k8s\0\x0a\xff\xff\xff\xff\xff",
]
#: Objects with values of wrong types, too deep, or too long.
_VALUES: list[Any] = [5, [], "a/b/c"]
_SPECS: list[Any] = [5, [], {"items": 5}, {"items": [5]}, {"items": [{}] * 5000}]
_OWNERS: list[Any] = [[{}], [None]]
_FIELDS: list[Any] = [5, {"k:{": {}}]
_OBJECTS = [
    *(robot(meta) for meta in _VALUES),
    *(robot({name: 5}) for name in ("name", "labels", "ownerReferences", "finalizers", "managedFields", "uid")),
    *(robot({name: [5]}) for name in ("ownerReferences", "finalizers", "managedFields", "annotations")),
    *(robot({"ownerReferences": owners}) for owners in _OWNERS),
    *(robot({"managedFields": [{**_ENTRY, "fieldsV1": {"f:a": fields}}]}) for fields in _FIELDS),
    *(robot({"creationTimestamp": time}) for time in (5, "x")),
    robot({"annotations": {"a": "x" * 300_000}}),
    robot({"name": "", "generateName": "x" * 100_000}),
    robot({"name": "x" * 100_000}),
    robot({"namespace": "b"}),
    *(robot(spec=spec) for spec in _SPECS),
    robot(spec={f"u{number}": 1 for number in range(2000)}),
    *(robot(spec={"free": _deep(depth)}) for depth in (300, 450, 900)),
    *(robot(spec={"name": "x" * size}) for size in (100_000, 4_000_000)),
    *({**robot(), name: value} for name in ("kind", "apiVersion") for value in _VALUES),
]
_YAMLS = [
    "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "\n".join(f"{chr(98 + at)}: &{chr(98 + at)} [{','.join(['*' + chr(97 + at)] * 9)}]" for at in range(9)),
    *("a: &a\n  b: *a\n", "<<: 5\n", "? [1]\n: 2\n", "!!python/object:os.system x", "---\n---\n", "%YAML 9.9\n---\na"),
    *("a: 2001-01-01\n", "- " * 3000, "[" * 3000 + "]" * 3000, "{a: " * 3000, "a: b: c", "key: |\n  x\n bad"),
    *("a: 0x" + "f" * 10_000, "a: " + "1" * 10_000, "a: .inf", "a: !!binary x", "a: !!float x", "a: " + "1:" * 1000),
]
_PATCHES = [
    *('[{"op":"add"}]', "[5]", '[{"op":5,"path":5}]', '[{"op":"remove","path":""}]', '[{"op":"move","path":"/a"}]'),
    *(f'[{{"op":"replace","path":"{path}","value":5}}]' for path in ("", "/", "/~2", "/spec/items/" + "9" * 50, "x")),
    json.dumps(
        [{"op": "add", "path": "/spec/free", "value": {"x": 1}}]
        + [{"op": "copy", "from": "/spec", "path": f"/spec/free/x{number}"} for number in range(40)]
    ),
    *('{"metadata":null}', '{"metadata":{"name":null}}', '{"kind":null}', '{"spec":null}'),
    *('{"metadata":{"finalizers":[null]}}', '{"metadata":{"labels":{"a":null}}}', '{"metadata":{"managedFields":5}}'),
]
_OPTIONS = [
    *('{"propagationPolicy":5}', '{"preconditions":5}', '{"preconditions":{"uid":5}}', '{"dryRun":5}'),
    *('{"dryRun":[5]}', '{"orphanDependents":5}', '{"gracePeriodSeconds":"x"}', '{"kind":5}', '{"apiVersion":5}'),
]
_QUERIES = [
    "labelSelector=" + "a%2C" * 200_000,
    "labelSelector=" + "(" * 1000,
    "labelSelector=a%20in%20(" + "x%2C" * 50_000 + "x)",
    *(f"labelSelector={text}" for text in ("%21", "%00", "a%3D%3D%3Db", "%ff")),
    "fieldSelector=" + "a%3Db%2C" * 50_000,
    *(f"fieldSelector={text}" for text in ("metadata.name%3D%5C", "%3D%3D")),
    *(f"limit={text}" for text in ("-1", "x", "1e5", "1_0", "9" * 30, "9" * 5000)),
    *(f"continue={text}" for text in ("x", "%ff", "A" * 100_000, "e30", "bnVsbA")),
    "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OSwic3RhcnQiOiIvYSJ9",
    *(f"resourceVersion={text}" for text in ("-1", "x", "9" * 20, "9" * 5000)),
    "resourceVersion=9223372036854775808&resourceVersionMatch=Exact",
    *(f"watch=1&timeoutSeconds={text}" for text in ("x", "-5", "9" * 30, "9" * 5000)),
    *("&".join(["a=b"] * 2000), "&" * 5000, "fieldManager=" + "x" * 5000, "fieldManager=%00", "fieldValidation=x"),
    *(
        "dryRun=x",
        "propagationPolicy=x",
        "gracePeriodSeconds=" + "9" * 5000,
        "force=x",
        "%ff=%ff",
        "a=%zz",
        "export=true",
    ),
]
_PATHS = [
    *("//", "/apis//v1/robots", "/" + "x/" * 5000, "/apis/%00/%ff/%zz", "/openapi/v3/x", "/healthz/x", "/metrics"),
    *(f"{_ROBOTS}/{rest}" for rest in ("r/x/y/z", "%2e%2e", "%ff", "..", "r/scale", "a%2Fb", "x" * 10_000)),
    "/apis/example.com/v1/namespaces/..%2f../robots",
    "/apis/example.com/v1/namespaces/a/",
    "/apis/example.com/v1/watch",
    "/api/v1/namespaces/a/finalize",
]
_ACCEPTS = ["", "x", "a/b/c", ";;;,,,", "application/json;q=x", "application/json;" + "a=b;" * 5000, "a/b," * 5000]
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW")

_Request = tuple[str, str, Any, dict[str, str]]


def _requests() -> Iterator[_Request]:
    patch = f"{_ROBOTS}/r?fieldManager=m"
    for text in [*_TEXTS, *map(json.dumps, _OBJECTS)]:
        for kind in (JSON, YAML):
            for path in (_ROBOTS, "/api/v1/namespaces/a/configmaps", _DEFINITIONS):
                yield "POST", path, text, {"content-type": kind}
            yield "PUT", f"{_ROBOTS}/r", text, {"content-type": kind}
        for kind in (MERGE, JSON_PATCH, APPLY):
            yield "PATCH", patch, text, {"content-type": kind}
    for text in _YAMLS:
        yield "POST", _ROBOTS, text, {"content-type": YAML}
        yield "PATCH", patch, text, {"content-type": APPLY}
    for text in _PATCHES:
        yield "PATCH", patch, text, {"content-type": JSON_PATCH if text[0] == "[" else MERGE}
        yield "PATCH", f"{_ROBOTS}/r/status?fieldManager=m", text, {"content-type": MERGE}
    for text in [*_OPTIONS, *_TEXTS]:
        yield "DELETE", f"{_ROBOTS}/none", text, {"content-type": JSON}
        yield "DELETE", f"{_ROBOTS}?fieldSelector=metadata.name%3Dnone", text, {"content-type": JSON}
    for query in _QUERIES:
        for method, body in (("GET", None), ("POST", _GOOD), ("PUT", _GOOD), ("PATCH", "{}"), ("DELETE", None)):
            kind = MERGE if method == "PATCH" else JSON
            yield (
                method,
                f"{_ROBOTS if method in ('GET', 'POST') else f'{_ROBOTS}/r'}?{query}",
                body,
                {"content-type": kind},
            )
    for path in _PATHS:
        for method in _METHODS:
            yield method, path, None, {}
    for kind in ("text/plain", "", ";;;", "application/json; charset=utf-16", "a/b/c", "application/cbor", "\xe9"):
        yield "POST", _ROBOTS, _GOOD, {"content-type": kind}
        yield "PATCH", patch, "{}", {"content-type": kind}
    for accept in _ACCEPTS:
        for path in (_ROBOTS, "/apis", "/openapi/v2", "/version", f"{_ROBOTS}?watch=1&timeoutSeconds=-1"):
            yield "GET", path, None, {"accept": accept}


async def _ask(asking: Asking, request: _Request) -> Answer:
    method, url, body, headers = request
    return await asyncio.wait_for(asking.ask(method, url, body, headers), 30)


def _check(requests: Iterator[_Request]) -> int:
    """Sends requests, and returns their number."""

    async def scenario() -> int:
        number, faults = 0, []
        async with serving() as asking:
            assert (
                await asking.ask("POST", _DEFINITIONS, definition({"type": "object", "properties": {"spec": _SPEC}}))
            ).status == 201
            await asking.settle()
            for request in requests:
                answer = await _ask(asking, request)
                number += 1
                # Some of the server's own refusals are 500 and 504; they have words.
                if b"Internal error occurred" in answer.body or answer.status < 100:
                    faults.append((*(repr(part)[:100] for part in request), answer.body[:200]))
                if request[0] == "DELETE" or answer.status == 409:
                    await asking.ask("DELETE", f"{_ROBOTS}/r")
                    await asking.ask("POST", _ROBOTS, robot())
            # Whatever was stored can be read, and changed.
            listed = await asking.ask("GET", _ROBOTS)
            assert listed.status == 200
            for item in listed.json["items"]:
                url = f"{_ROBOTS}/{item['metadata']['name']}"
                assert (
                    await asking.ask("PATCH", url, {"metadata": {"labels": {"a": "b"}}}, {"content-type": MERGE})
                ).status == 200
            assert not faults, "\n".join(map(str, faults[:5]))
        return number

    return asyncio.run(scenario())


@pytest.mark.slow
def test_hostile_requests() -> None:
    assert _check(_requests()) > 1000


def test_some_hostile_requests() -> None:
    assert _check(request for number, request in enumerate(_requests()) if number % 29 == 0) > 30


def test_words() -> None:
    """Each refusal says what is wrong."""
    typed = "json: cannot unmarshal number into Go struct field DeleteOptions"

    async def scenario() -> None:
        async with serving() as asking:
            await asking.ask("POST", _DEFINITIONS, definition({"type": "object", "properties": {"spec": _SPEC}}))
            await asking.settle()
            for method, url, body, code, text in (
                ("DELETE", f"{_ROBOTS}/r", '{"dryRun":5}', 400, f"{typed}.dryRun of type []string"),
                (
                    "DELETE",
                    f"{_ROBOTS}/r",
                    '{"preconditions":{"uid":5}}',
                    400,
                    f"{typed}.preconditions.uid of type types.UID",
                ),
                (
                    "DELETE",
                    f"{_ROBOTS}/r",
                    '{"kind":5}',
                    400,
                    "json: cannot unmarshal number into Go struct field .kind of type string",
                ),
                (
                    "GET",
                    f"{_ROBOTS}?limit={'9' * 30}",
                    None,
                    400,
                    f'strconv.ParseInt: parsing "{"9" * 30}": value out of range',
                ),
                ("GET", f"{_ROBOTS}?limit=1_0", None, 400, 'strconv.ParseInt: parsing "1_0": invalid syntax'),
                ("GET", f"{_ROBOTS}?resourceVersion={'9' * 5000}", None, 400, "value out of range"),
                ("POST", _ROBOTS, json.dumps(robot(spec={"free": _deep(300)})), 400, "exceeded max depth"),
                ("POST", _ROBOTS, " " * (3 * 1024 * 1024 + 1), 413, "Request entity too large: limit is 3145728"),
                (
                    "PATCH",
                    f"{_ROBOTS}/r?fieldManager=m",
                    json.dumps(robot(5)),
                    500,
                    ".metadata: expected map, got &{5}",
                ),
            ):
                kind = APPLY if method == "PATCH" else JSON
                answer = await asking.ask(method, url, body, {"content-type": kind})
                assert (answer.status, text in answer.json["message"]) == (code, True), answer.json

    asyncio.run(scenario())


# --- bodies that do not come, or too many at once ---------------------------------------------------------------------


async def _post(asking: Asking, *parts: bytes, ends: bool = True) -> Answer:
    """Sends a body in parts, the last of which may never come."""
    answer, left = Answer(), list(parts)

    async def receive() -> dict[str, Any]:
        if not left and not ends:
            await asyncio.Event().wait()
        part = left.pop(0) if left else b""
        return {"type": "http.request", "body": part, "more_body": bool(left) or not ends}

    async def send(message: Any) -> None:
        answer.status = message.get("status", answer.status)
        answer.body += message.get("body", b"")

    headers = [(b"content-type", JSON.encode())]
    scope = {"type": "http", "method": "POST", "path": _ROBOTS, "query_string": b"", "headers": headers}
    await asking.app(scope, receive, send)
    return answer


def _with_limits(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, *bodies: tuple[bytes, ...], ends: bool
) -> list[Answer]:
    monkeypatch.setattr(application, "_LIMITS", limits)

    async def scenario() -> list[Answer]:
        async with serving() as asking:
            await asking.ask("POST", _DEFINITIONS, definition())
            await asking.settle()
            found = await asyncio.gather(*(_post(asking, *parts, ends=ends) for parts in bodies))
            assert (await asking.ask("POST", _ROBOTS, robot())).status == 201  # others go on
            return list(found)

    return asyncio.run(scenario())


def test_a_body_that_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    [answer] = _with_limits(monkeypatch, Limits(reading=0.05), (b'{"kind":',), ends=False)
    status = answer.json
    assert (status["code"], status["message"]) == (408, "the body did not come in time")


def test_a_body_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    [answer] = _with_limits(monkeypatch, Limits(body=1000), (b" " * 100,) * 20, ends=False)
    assert answer.json["code"] == 413


def test_too_many_bodies_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = [(b" " * 400, b" ")] * 5
    answers = _with_limits(monkeypatch, Limits(bodies=1000, reading=0.05), *bodies, ends=False)
    assert sorted(answer.json["code"] for answer in answers) == [408, 408, 429, 429, 429]


# --- tokens -----------------------------------------------------------------------------------------------------------


@in_server()
async def test_tokens(asking: Asking) -> None:
    asking.app.token = "secret"
    for shown in (
        "",
        "Bearer",
        "Bearer ",
        "Bearer secre",
        "Bearer secrets",
        "Basic secret",
        "secret",
        "Bearer \xff",
    ):
        for path in (_ROBOTS, "/apis", "/openapi/v2", "/version", "/nowhere", "/healthz/x", "//"):
            answer = await asking.ask("GET", path, headers={"authorization": shown})
            assert (answer.status, answer.json["reason"]) == (401, "Unauthorized"), (shown, path)
    for path in ("/healthz", "/livez", "/readyz"):
        assert (await asking.ask("GET", path)).status == 200
    for shown in ("Bearer secret", "bearer  secret "):
        assert (await asking.ask("GET", "/version", headers={"authorization": shown})).status == 200
