"""Faults, each as a client of plain HTTP meets it."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from tests.testing.kites import KITES, ask, definition, kite, watching
from validation_gen.testing import ApiServer

RED = f"{KITES}/red"
MERGE = {"Content_Type": "application/merge-patch+json"}


@pytest.fixture(scope="module")
def shared() -> Iterator[ApiServer]:
    with ApiServer(crds=definition()) as server:
        yield server


@pytest.fixture
def server(shared: ApiServer) -> Iterator[ApiServer]:
    shared.client.create(kite())
    yield shared
    shared.faults.clear()
    shared.client.delete("Kite", "red")


def _patch(server: ApiServer, size: int) -> int:
    return ask(server.url, "PATCH", RED, {"spec": {"size": size}}, **MERGE).code


def test_latency_delays_all_chosen_requests(server: ApiServer) -> None:
    fault = server.faults.latency(0.05, verb="get", kind="Kite")
    began = time.monotonic()
    assert [ask(server.url, "GET", RED).code for _ in range(2)] == [200, 200]
    assert time.monotonic() - began >= 0.1
    assert fault.count == 2
    fault.remove()
    ask(server.url, "GET", RED)
    assert fault.count == 2


def test_a_server_closes_in_the_middle_of_a_late_answer(caplog: pytest.LogCaptureFixture) -> None:
    with ApiServer(crds=definition()) as server:
        late = server.faults.latency(60)
        connection = http.client.HTTPConnection(server.url.removeprefix("http://"))
        connection.request("GET", RED)
        server.wait_for(lambda: late.count)
        began = time.monotonic()
    assert time.monotonic() - began < 5
    connection.close()
    assert not caplog.records


def test_the_nth_update_is_a_conflict(server: ApiServer) -> None:
    server.faults.conflict(kind="kites", name="r*", nth=2)
    assert [_patch(server, size) for size in (4, 5, 6)] == [200, 409, 200]
    server.faults.conflict()
    current = server.client.get("Kite", "red")
    answer = ask(server.url, "PUT", RED, current)
    assert (answer.code, answer.json) == (
        409,
        {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": 'Operation cannot be fulfilled on kites.example.com "red": the object has been modified; '
            "please apply your changes to the latest version and try again",
            "reason": "Conflict",
            "details": {"name": "red", "group": "example.com", "kind": "kites"},
            "code": 409,
        },
    )
    assert server.client.get("Kite", "red")["spec"]["size"] == 6


def test_a_conflict_of_a_create_says_that_it_exists(server: ApiServer) -> None:
    server.faults.conflict(verb="create", name="blue")
    assert ask(server.url, "POST", KITES, kite("green")).code == 201
    refused = ask(server.url, "POST", KITES, kite("blue"))
    assert (refused.code, refused.json["reason"]) == (409, "AlreadyExists")
    assert refused.json["message"] == 'kites.example.com "blue" already exists'
    assert ask(server.url, "POST", KITES, kite("blue")).code == 201
    for name in ("green", "blue"):
        server.client.delete("Kite", name)


def test_throttled_requests_have_a_time_to_wait(server: ApiServer) -> None:
    server.faults.throttle(7, times=2)
    answers = [ask(server.url, "GET", RED) for _ in range(3)]
    assert [answer.code for answer in answers] == [429, 429, 200]
    assert answers[0].headers["Retry-After"] == "7"
    assert answers[0].json["reason"] == "TooManyRequests"
    assert answers[0].json["details"] == {"retryAfterSeconds": 7}


def test_errors_have_the_bodies_of_a_server(server: ApiServer) -> None:
    for code, reason in ((500, None), (503, "ServiceUnavailable"), (504, "Timeout"), (403, "Forbidden")):
        server.faults.error(code)
        answer = ask(server.url, "GET", RED)
        assert (answer.code, answer.json["kind"], answer.json["code"]) == (code, "Status", code)
        assert answer.json.get("reason") == reason
    server.faults.error(500, "etcdserver: leader changed", verb=("list",))
    assert ask(server.url, "GET", RED).code == 200
    assert ask(server.url, "GET", KITES).json["message"] == "etcdserver: leader changed"


def test_requests_are_chosen_by_agent_namespace_and_subresource(server: ApiServer) -> None:
    server.faults.error(agent="kopf", times=None)
    server.faults.error(503, namespace="other", times=None)
    server.faults.error(504, subresource="status", times=None)
    assert ask(server.url, "GET", RED).code == 200
    assert ask(server.url, "GET", RED, User_Agent="kopf/1.37").code == 500
    assert ask(server.url, "GET", KITES.replace("default", "other")).code == 503
    assert ask(server.url, "PATCH", f"{RED}/status", {"status": {"phase": "Up"}}, **MERGE).code == 504
    assert _patch(server, 9) == 200


def test_requests_of_the_test_itself_have_no_faults(server: ApiServer) -> None:
    server.faults.error(times=None)
    assert server.client.get("Kite", "red")["spec"] == {"size": 3}
    assert ask(server.url, "GET", "/healthz").code == 200


def test_an_expired_token_is_refused_until_the_new_one_is_shown(server: ApiServer) -> None:
    def get(path: str = RED) -> int:
        return ask(server.url, "GET", path, Authorization=f"Bearer {token}").code

    token = json.loads(server.kubeconfig.read_text(encoding="utf-8"))["users"][0]["user"]["token"]
    assert get() == 200
    server.faults.expire_token()
    assert [get(), get("/apis"), get()] == [401, 401, 401]
    token = json.loads(server.kubeconfig.read_text(encoding="utf-8"))["users"][0]["user"]["token"]
    assert get() == 200
    server.faults.unauthorized(verb="get")
    assert [get(), get()] == [401, 200]


def test_a_lost_answer_has_been_a_write(server: ApiServer) -> None:
    server.faults.lose_answer(verb="create")
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        ask(server.url, "POST", KITES, kite("lost"))
    assert server.client.get("Kite", "lost")["spec"] == {"size": 3}
    again = ask(server.url, "POST", KITES, kite("lost"))
    assert again.json["reason"] == "AlreadyExists"
    server.client.delete("Kite", "lost")


def test_a_dropped_watch_ends_in_the_middle(server: ApiServer) -> None:
    server.faults.drop_watch(after=1, times=2)
    with watching(server.url) as events:
        assert next(events)["object"]["metadata"]["name"] == "red"
        assert not list(events)
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        ask(server.url, "GET", f"{KITES}?watch=1")
    server.faults.drop_watch()
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        ask(server.url, "GET", f"{KITES}?watch=1")
    with watching(server.url) as events:
        next(events)


def test_a_stalled_watch_says_nothing_more(server: ApiServer) -> None:
    server.faults.stall_watch(after=2)
    with watching(server.url, timeout=0.2) as events:
        assert next(events)["type"] == "ADDED"
        _patch(server, 5)
        assert next(events)["type"] == "MODIFIED"
        _patch(server, 6)
        with pytest.raises(TimeoutError):
            next(events)


def test_open_watches_are_hit_as_well(server: ApiServer) -> None:
    with watching(server.url) as one, watching(server.url) as other:
        assert next(one) == next(other)
        dropped = server.faults.drop_watch(kind="Kite")
        assert not list(one)
        assert server.faults.expire(after=1).count == 1
        _patch(server, 5)
        assert [event["type"] for event in other] == ["MODIFIED", "ERROR"]
    with watching(server.url) as events:
        next(events)
    assert dropped.count == 1
    assert server.faults.stall_watch().count == 0


def test_a_watch_expires(server: ApiServer) -> None:
    version = server.client.get("Kite", "red")["metadata"]["resourceVersion"]
    fault = server.faults.expire(after=1)
    with watching(server.url, f"&resourceVersion={int(version) - 1}") as events:
        found = list(events)
    assert [event["type"] for event in found] == ["ADDED", "ERROR"]
    status = found[1]["object"]
    assert (status["code"], status["reason"]) == (410, "Expired")
    assert status["message"].startswith(f"too old resource version: {int(version) - 1} (")
    assert fault.count == 1
    server.faults.expire(verb="list")
    refused = ask(server.url, "GET", KITES)
    assert (refused.code, refused.json["reason"]) == (410, "Expired")


def test_events_come_twice_after_a_reconnect(server: ApiServer) -> None:
    _patch(server, 4)
    version = server.client.get("Kite", "red")["metadata"]["resourceVersion"]
    fault = server.faults.duplicate_events(2)
    with watching(server.url) as events:  # begins with the state: no reconnect
        next(events)
    assert fault.count == 0
    with watching(server.url, f"&resourceVersion={version}") as events:
        found = [next(events), next(events)]
        _patch(server, 5)
        found.append(next(events))
    assert [(event["type"], event["object"]["spec"]["size"]) for event in found] == [
        ("ADDED", 3),
        ("MODIFIED", 4),
        ("MODIFIED", 5),
    ]
    with watching(server.url, f"&resourceVersion={version}") as events:
        assert next(events)["object"]["spec"]["size"] == 5
    path = "/api/v1/namespaces/default/configmaps"
    made = server.client.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "red"}})
    server.faults.duplicate_events()
    with watching(server.url, f"&resourceVersion={made['metadata']['resourceVersion']}", path=path) as events:
        assert next(events)["object"]["metadata"]["name"] == "red"
    server.client.delete("ConfigMap", "red")


def test_random_faults_are_the_same_with_the_same_seed(server: ApiServer) -> None:
    def codes(seed: int) -> list[int]:
        with server.faults.error(chance=0.5, times=None, seed=seed):
            return [ask(server.url, "GET", RED).code for _ in range(12)]

    first = codes(7)
    assert set(first) == {200, 500}
    assert codes(7) == first
    assert codes(8) != first
    assert "refusal with 500: " in server.faults.report()
    assert "seed=7" in server.faults.report()


def test_several_faults_hit_one_request(server: ApiServer) -> None:
    refusal, other = server.faults.error(times=None), server.faults.throttle(times=None)
    late = server.faults.latency(0.03)
    began = time.monotonic()
    assert ask(server.url, "GET", RED).code == 500
    assert time.monotonic() - began >= 0.03
    assert (late.count, refusal.count, other.count) == (1, 1, 0)


def test_the_report_says_what_was_injected(server: ApiServer) -> None:
    server.faults.conflict(name="red")
    server.faults.drop_watch()
    _patch(server, 4)
    lines = server.faults.report().splitlines()
    assert lines[:2] == [
        "refusal with 409: 1 injection in 1 matching request",
        "dropped watch: 0 injections in 0 matching requests",
    ]
    assert lines[2].endswith(f"s refusal with 409: PATCH {RED} by raw/1.0")
    server.faults.clear()
    assert server.faults.report() == ""


def test_kinds_have_several_names(server: ApiServer) -> None:
    for kind in ("Kite", "kites", "kites.example.com", "example.com/v1/Kite"):
        server.faults.error(kind=kind)
        assert ask(server.url, "GET", RED).code == 500
    server.faults.error(kind="Lease")
    assert ask(server.url, "GET", RED).code == 200


def test_conditions_that_make_no_sense_are_refused(server: ApiServer) -> None:
    faults = server.faults
    refused: list[tuple[Callable[[], Any], str]] = [
        (
            lambda: faults.conflict(verb="udpate"),
            "unknown verb 'udpate' (did you mean update?): write one of get, list",
        ),
        (lambda: faults.conflict(nth=0), "nth is a number from 1 on, not 0"),
        (lambda: faults.conflict(times=0), "times is a number from 1 on, not 0"),
        (lambda: faults.conflict(chance=20), "chance is a probability from 0 to 1, not 20"),
        (lambda: faults.conflict(kind="Kiet"), "the server has no kind Kiet (did you mean Kite?); it has"),
        (lambda: faults.latency(-1), "seconds is a number from 0 on, not -1"),
        (lambda: faults.latency(cast("Any", "1")), "seconds is a number from 0 on, not '1'"),
        (lambda: faults.error(200), "code is an HTTP status from 400 to 599, not 200"),
        (lambda: faults.throttle(-1), "retry_after is a number from 0 on, not -1"),
        (lambda: faults.drop_watch(-1), "after is a number from 0 on, not -1"),
        (lambda: faults.drop_watch(verb="update"), "this fault hits watch, and never update"),
        (lambda: faults.expire(verb=("list", "get")), "this fault hits watch and list, and never get"),
        (lambda: faults.duplicate_events(0), "events is a number from 1 on, not 0"),
        (lambda: faults.conflict(kinds="Kite"), "unexpected keyword argument 'kinds'"),  # type: ignore[call-arg]
    ]
    for add, text in refused:
        with pytest.raises((ValueError, LookupError, TypeError), match=re.escape(text)):
            add()
    assert faults.report() == ""
