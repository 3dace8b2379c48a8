"""Kinds whose versions a webhook converts, which the server calls over TLS."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.server.asking import Answer, Asking, ask, serving
from tests.server.converting import Change, Webhook, converting
from validation_gen.apiserver import conversion

V1, V1BETA1 = "/apis/example.com/v1/namespaces/a/robots", "/apis/example.com/v1beta1/namespaces/a/robots"
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_OF_V1 = "conversion webhook for example.com/v1, Kind=Robot"
_MERGE = {"content-type": "application/merge-patch+json"}


@pytest.fixture(scope="module")
def hook() -> Iterator[Webhook]:
    with converting() as webhook:
        yield webhook


@pytest.fixture(autouse=True)
def _fresh(hook: Webhook) -> None:
    hook.change = None
    hook.seen.clear()
    hook.urls.clear()


def of_two_versions(client: dict[str, Any], reviews: tuple[str, ...] = ("v1",)) -> dict[str, Any]:
    def version(name: str, field: str, replicas: int, *, storage: bool) -> dict[str, Any]:
        spec = {
            "type": "object",
            "properties": {
                field: {"type": "string"},
                "replicas": {"type": "integer", "default": replicas},
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            },
        }
        schema = {"type": "object", "properties": {"spec": spec, "status": {"type": "object"}}}
        return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": schema}}

    versions = [version("v1", "fresh", 3, storage=True), version("v1beta1", "old", 2, storage=False)]
    webhook = {"clientConfig": client, "conversionReviewVersions": list(reviews)}
    return definition(versions=versions, conversion={"strategy": "Webhook", "webhook": webhook})


@asynccontextmanager
async def serving_robots(client: dict[str, Any], reviews: tuple[str, ...] = ("v1",)) -> AsyncIterator[Asking]:
    async with serving() as asking:
        assert (await asking.ask("POST", _DEFINITIONS, of_two_versions(client, reviews))).status == 201
        await asking.settle()
        yield asking


def at(hook: Webhook) -> dict[str, Any]:
    return {"url": hook.url, "caBundle": hook.bundle}


def robot(version: str, name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": f"example.com/{version}", "kind": "Robot", "metadata": {"name": name}, "spec": spec}


def run(story: Callable[[Asking], Any], client: dict[str, Any], reviews: tuple[str, ...] = ("v1",)) -> None:
    ask(story, serving_robots, client=client, reviews=reviews)


async def events(answer: Answer, count: int) -> list[Any]:
    for _ in range(500):
        if len(answer.events) >= count:
            break
        await asyncio.sleep(0.01)
    return answer.events


def test_reads_and_writes_in_both_versions(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        made = await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))
        assert (made.status, made.json["spec"]) == (201, {"fresh": "1", "replicas": 3})
        assert hook.seen == [], "the version is that of the storage"
        made = await asking.ask("POST", V1BETA1, robot("v1beta1", "gort", old="2"))
        assert (made.status, made.json["spec"]) == (201, {"old": "2", "replicas": 2})
        assert (await asking.ask("GET", f"{V1}/gort")).json["spec"] == {"fresh": "2", "replicas": 2}
        found = (await asking.ask("GET", f"{V1BETA1}/talos")).json
        assert (found["apiVersion"], found["spec"]) == ("example.com/v1beta1", {"old": "1", "replicas": 3})
        found["spec"]["old"] = "3"
        changed = await asking.ask("PUT", f"{V1BETA1}/talos", found)
        assert (changed.status, changed.json["spec"]) == (200, {"old": "3", "replicas": 3})
        changed = await asking.ask("PATCH", f"{V1BETA1}/talos", {"spec": {"old": "4"}}, _MERGE)
        assert (changed.status, changed.json["metadata"]["generation"]) == (200, 3)
        last = (await asking.ask("GET", f"{V1}/talos")).json
        assert last["spec"] == {"fresh": "4", "replicas": 3}
        assert last["metadata"] == changed.json["metadata"]
        gone = await asking.ask("DELETE", f"{V1BETA1}/talos")
        assert (gone.status, gone.json["status"]) == (200, "Success")

    run(story, at(hook))


def test_a_list_is_one_call(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        for name in ("a", "b", "c"):
            await asking.ask("POST", V1, robot("v1", name, fresh=name))
        listed = (await asking.ask("GET", V1BETA1)).json
        assert [item["spec"]["old"] for item in listed["items"]] == ["a", "b", "c"]
        assert {item["apiVersion"] for item in listed["items"]} == {"example.com/v1beta1"}
        (review,) = hook.seen
        assert [obj["metadata"]["name"] for obj in review["request"]["objects"]] == ["a", "b", "c"]
        assert all("resourceVersion" not in obj["metadata"] for obj in review["request"]["objects"])
        assert review["response"] == {"uid": "", "convertedObjects": None, "result": {"metadata": {}}}
        assert hook.urls == ["/review?timeout=30s"]
        assert all(item["metadata"]["resourceVersion"] for item in listed["items"])

    run(story, at(hook))


def test_watches_have_their_version(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))
        watch = await asking.watch(f"{V1BETA1}?watch=1")
        await events(watch, 1)
        await asking.ask("PATCH", f"{V1}/talos", {"spec": {"fresh": "2"}}, _MERGE)
        await asking.ask("DELETE", f"{V1}/talos")
        found = [(each["type"], each["object"]["spec"]["old"]) for each in await events(watch, 3)]
        assert found == [("ADDED", "1"), ("MODIFIED", "2"), ("DELETED", "2")]
        await asking.ask("POST", V1, robot("v1", "gort", fresh="1"))
        await events(watch, 4)
        hook.change = failure("no more")
        await asking.ask("PATCH", f"{V1}/gort", {"spec": {"fresh": "2"}}, _MERGE)
        last = (await events(watch, 5))[-1]
        assert (last["type"], last["object"]["message"]) == ("ERROR", f"{_OF_V1} failed: no more")

    run(story, at(hook))


def test_owners_of_fields_follow_conversions(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        apply = {"content-type": "application/apply-patch+yaml"}
        path = "talos?fieldManager="
        first = await asking.ask("PATCH", f"{V1BETA1}/{path}a", robot("v1beta1", "talos", old="1"), apply)
        assert first.status == 201
        second = await asking.ask("PATCH", f"{V1}/{path}b", robot("v1", "talos", fresh="2"), apply)
        assert second.status == 409
        assert second.json["details"]["causes"][0]["field"] == ".spec.old"
        same = await asking.ask("PATCH", f"{V1}/{path}b", robot("v1", "talos", fresh="1"), apply)
        assert (same.status, same.json["spec"]["fresh"]) == (200, "1")

    run(story, at(hook))


def test_reviews_of_the_older_version(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))
        hook.change = in_response(uid="another")
        assert (await asking.ask("GET", f"{V1BETA1}/talos")).status == 200, "it has no check of the uid"
        assert hook.seen[0]["apiVersion"] == "apiextensions.k8s.io/v1beta1"

    run(story, at(hook), ("v7", "v1beta1", "v1"))


# --- answers that are refused -----------------------------------------------------------------------------------------


def failure(message: str) -> Change:
    return in_response(result={"status": "Failure", "message": message})


def in_response(**fields: Any) -> Change:
    def change(answer: dict[str, Any]) -> None:
        answer["response"] |= fields

    return change


def in_object(**fields: Any) -> Change:
    def change(answer: dict[str, Any]) -> None:
        for obj in answer["response"]["convertedObjects"]:
            obj.update(fields)

    return change


def in_metadata(**fields: Any) -> Change:
    def change(answer: dict[str, Any]) -> None:
        for obj in answer["response"]["convertedObjects"]:
            obj["metadata"].update(fields)

    return change


def answering(status: int, body: bytes, media: str = "application/json") -> Change:
    return lambda answer: (status, media, body)


def twice(answer: dict[str, Any]) -> None:
    answer["response"]["convertedObjects"] *= 2


_SCHEME = 'in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"'
_AT = "returned invalid object at index 0:"
_BAD_LABEL = "metadata.labels: Invalid value: "
REFUSED: dict[str, tuple[Change, str]] = {
    "refusal": (failure("not today"), "failed: not today"),
    "no reason": (in_response(result={"status": "No"}), "failed: response.result.status was 'No', not 'Success'"),
    "no status": (in_response(result=None), "failed: response.result.status was '', not 'Success'"),
    "other uid": (in_response(uid="another"), 'failed: expected response.uid="UID", got "another"'),
    "too few": (in_response(convertedObjects=None), "returned 0 objects, expected 1"),
    "too many": (twice, "returned 2 objects, expected 1"),
    "no response": (lambda answer: {**answer, "response": None}, "failed: no response provided"),
    "other kind": (
        lambda answer: {**answer, "kind": "Other"},
        f'failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" {_SCHEME}',
    ),
    "other review": (
        lambda answer: {**answer, "apiVersion": "apiextensions.k8s.io/v1beta1"},
        "failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
    ),
    "text as result": (
        in_response(result="fine"),
        "failed: json: cannot unmarshal string into Go struct field response.result of type struct",
    ),
    "no object": (in_response(convertedObjects=[{}]), f"{_AT} Object 'Kind' is missing"),
    "other version": (
        in_object(apiVersion="example.com/v1"),
        f"{_AT} invalid groupVersion (expected example.com/v1beta1, received example.com/v1)",
    ),
    "other kind of object": (
        in_object(kind="Dog"),
        f"{_AT} invalid kind (expected Robot, received Dog)",
    ),
    "other name": (in_metadata(name="gort"), "returned invalid object: must have the same name: talos != gort"),
    "other namespace": (in_metadata(namespace="b"), "returned invalid object: must have the same namespace: a != b"),
    "other uid of object": (in_metadata(uid="u"), "returned invalid object: must have the same UID: UID != u"),
    "no metadata": (in_object(metadata=None), "returned invalid object: must have the same name: talos != "),
    "labels of a wrong type": (
        in_metadata(labels=["a"]),
        "returned invalid metadata: invalid metadata.labels of type []interface {} in converted object",
    ),
    "label of a wrong type": (
        in_metadata(labels={"a": 1}),
        "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
    ),
    "bad label": (in_metadata(labels={"a b": ""}), f'returned invalid metadata: {_BAD_LABEL}"a b"'),
    "bad annotation": (in_metadata(annotations={"a b": ""}), "returned invalid metadata: metadata.annotation: "),
    "status 500": (
        answering(500, b"{}"),
        'failed: an error on the server ("unknown") has prevented the request from succeeding',
    ),
    "status 500 with words": (
        answering(500, b"out of oil\n", "text/plain"),
        'failed: an error on the server ("out of oil") has prevented the request from succeeding',
    ),
    "status of Kubernetes": (
        answering(403, b'{"apiVersion": "v1", "kind": "Status", "message": "not you"}'),
        "failed: not you",
    ),
    "status 404": (answering(404, b""), "failed: the server could not find the requested resource"),
    "empty": (
        answering(200, b""),
        "failed: 0-length response with status code: 200 and content type: application/json",
    ),
    "no JSON": (
        answering(200, b"fine"),
        "failed: couldn't get version/kind; json parse error: invalid character 'i' in literal false (expecting 'a')",
    ),
    "deep JSON": (
        answering(200, b'{"response": ' + b"[" * 100_000),
        "failed: couldn't get version/kind; json parse error: exceeded max depth",
    ),
    "JSON of another kind": (
        answering(200, b'"fine"'),
        "failed: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ",
    ),
}


def test_answers_that_are_refused(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        made = (await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))).json
        wrong = {}
        for name, (change, wanted) in REFUSED.items():
            hook.change = change
            found = await asking.ask("GET", f"{V1BETA1}/talos")
            message = found.json["message"].replace(hook.seen[-1]["request"]["uid"], "UID")
            message = message.replace(made["metadata"]["uid"], "UID")
            if found.status != 500 or "reason" in found.json or not message.startswith(f"{_OF_V1} {wanted}"):
                wrong[name] = (found.status, message)
        assert not wrong
        hook.change = failure("no")
        for answer in (
            await asking.ask("GET", V1BETA1),
            await asking.ask("POST", V1BETA1, robot("v1beta1", "gort", old="2")),
            await asking.ask("PATCH", f"{V1BETA1}/talos", {"spec": {"old": "2"}}, _MERGE),
            await asking.ask("DELETE", f"{V1BETA1}/talos"),
        ):
            assert answer.status == 500
            assert answer.json["message"].endswith(", Kind=Robot failed: no")
        assert (await asking.ask("GET", f"{V1}/talos")).json == made, "the version of the storage needs no webhook"
        assert (await asking.ask("GET", f"{V1}/gort")).status == 404

    run(story, at(hook))


def test_metadata_is_kept_but_for_labels_and_annotations(hook: Webhook) -> None:
    async def story(asking: Asking) -> None:
        await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))
        hook.change = in_metadata(labels={"a": "b"}, annotations={"c": "d"}, generation=9, finalizers=["e.f/g"])
        meta = (await asking.ask("GET", f"{V1BETA1}/talos")).json["metadata"]
        assert (meta["labels"], meta["annotations"]) == ({"a": "b"}, {"c": "d"})
        assert (meta["generation"], "finalizers" in meta) == (1, False)

    run(story, at(hook))


def test_webhooks_that_are_not_there(hook: Webhook) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    there = f"https://127.0.0.1:{port}/review"
    post = f'{_OF_V1} failed: Post "{there}?timeout=30s": '
    unknown = "tls: failed to verify certificate: x509: certificate signed by unknown authority"
    service = {"name": "hook", "namespace": "system", "path": "/review"}
    cases: list[tuple[dict[str, Any], str]] = [
        ({"url": there, "caBundle": hook.bundle}, f"{post}dial tcp 127.0.0.1:{port}: connect: connection refused"),
        (
            {"url": hook.url},
            f'{_OF_V1} failed: Post "{hook.url}?timeout=30s": {unknown}',
        ),
        (
            {"service": service},
            f'{_OF_V1} failed: Post "https://hook.system.svc:443/review?timeout=30s": service "hook" not found',
        ),
    ]
    for client, wanted in cases:

        async def story(asking: Asking, wanted: str = wanted) -> None:
            await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))
            for url in (f"{V1BETA1}/talos", V1BETA1):
                found = await asking.ask("GET", url)
                assert found.status == 500
                assert found.json["message"].startswith(wanted)

        run(story, client)


def test_slow_and_large_answers_end(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(asking: Asking) -> None:
        await asking.ask("POST", V1, robot("v1", "talos", fresh="1"))
        hook.change = answering(200, b" " * (3 << 20))
        found = await asking.ask("GET", f"{V1BETA1}/talos")
        assert found.json["message"].endswith("its answer has more than 1 MiB")
        loop, released = asyncio.get_running_loop(), asyncio.Event()
        hook.change = lambda answer: asyncio.run_coroutine_threadsafe(wait(released), loop).result(20)
        monkeypatch.setattr(conversion, "SECONDS", 0.3)
        slow = asyncio.ensure_future(asking.ask("GET", f"{V1BETA1}/talos"))
        await asyncio.sleep(0.05)
        assert (await asking.ask("GET", f"{V1}/talos")).status == 200, "other requests are answered meanwhile"
        assert (await slow).json["message"].endswith("context deadline exceeded")
        released.set()

    async def wait(released: asyncio.Event) -> None:
        await released.wait()

    monkeypatch.setattr(conversion, "MOST_ANSWER", 1 << 20)
    run(story, at(hook))
