"""Audit logs: which events are compared, with which object as it was, and why the others are skipped."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.commands.compare.input_files import Read
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.compare.inputs import json_pieces

UID = "8f4f4b0a-6d3c-4f0e-9d0e-2f1f5b1c7a11"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def deployment(replicas: int, name: str = "web", **metadata: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "shop", **metadata}
    return {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": metadata, "spec": {"replicas": replicas}}


def stored(replicas: int, name: str = "web") -> dict[str, Any]:
    return {**deployment(replicas, name, uid=UID, resourceVersion=str(1000 + replicas)), "status": {}}


def failure(code: int) -> dict[str, Any]:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "reason": "Invalid",
        "code": code,
    }


def event(verb: str, request: Any = None, response: Any = None, code: int = 200, **rest: Any) -> dict[str, Any]:
    """An event with its members in the order of the server. `None` leaves one out, as the server does."""
    reference = {"resource": "deployments", "namespace": "shop", "name": "web", "apiGroup": "apps", "apiVersion": "v1"}
    reference |= rest.pop("ref", {})
    path = f"/apis/apps/v1/namespaces/shop/deployments/{reference['name']}"
    whole = {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": rest.pop("level", "RequestResponse"),
        "auditID": "0d3b1d5c-6a52-4f0c-8f43-7f0e0b5d3a10",
        "stage": rest.pop("stage", "ResponseComplete"),
        "requestURI": path + rest.pop("query", ""),
        "verb": verb,
        "user": {"username": 'system:"admin"', "groups": ["system:authenticated"]},
        "sourceIPs": ["10.0.0.1"],
        "userAgent": "kubectl/v1.31.0",
        "objectRef": {key: value for key, value in reference.items() if value},
        "responseStatus": {"metadata": {}, "code": code},
        "requestObject": request,
        "responseObject": failure(code) if code >= 400 and response is None else response,
        "requestReceivedTimestamp": "2024-05-01T10:00:00.000000Z",
        "stageTimestamp": "2024-05-01T10:00:00.010000Z",
        "annotations": {"authorization.k8s.io/decision": "allow"},
        **rest,
    }
    return {key: value for key, value in whole.items() if value is not None}


def follow(*events: Any, **options: Any) -> Read:
    Path("audit.log").write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in events))
    return Read("audit.log", **options)


def pairs(read: Read) -> list[tuple[str, Any, Any]]:
    """Operation, new and old number of replicas, as they stand in the input; for other kinds the kind."""
    assert (read.bad, read.problems) == ([], [])

    def short(obj: Any) -> Any:
        return obj["spec"]["replicas"] if obj and obj["kind"] == "Deployment" else obj and obj["kind"]

    return [("update" if r.update else "create", short(r.obj), short(r.old)) for r in read.ordered]


CREATE = event("create", deployment(1), stored(1), 201)


# --- pairs ------------------------------------------------------------------------------------------------------------


def test_requests_are_paired_with_the_object_that_was_stored() -> None:
    read = follow(
        CREATE,
        event("update", deployment(2), stored(2)),
        event("patch", {"spec": {"replicas": 3}}, stored(3)),
        event("update", deployment(-4), code=422),
        event("update", deployment(5), stored(5), query="?dryRun=All&fieldManager=me"),
        event("update", deployment(6), stored(6)),
    )
    assert pairs(read) == [
        ("create", 1, None),
        ("update", 2, 1),
        ("update", 3, 2),
        ("update", -4, 3),
        ("update", 5, 3),
        ("update", 6, 3),
    ]
    assert read.places == [f"audit.log:{line}" for line in range(1, 7)]
    first, second, third, *_ = read.requests
    assert (first.kind, first.api_version, first.subresource, first.package) == ("Deployment", "apps/v1", "/", "")
    assert first.obj == deployment(1)
    assert (second.obj, second.old) == (deployment(2), stored(1))  # nothing is taken away from what the server stored
    assert (third.obj, third.old) == (stored(3), stored(2))
    assert read.sentences == []


def test_refused_creates_are_compared_and_remembered_by_nobody() -> None:
    read = follow(
        event("create", deployment(-1), code=422),
        event("update", deployment(2), stored(2)),
        event("update", deployment(3)),
    )
    assert pairs(read) == [("create", -1, None), ("update", 3, 2)]
    assert read.sentences == ["1 event of updates of which the old object is not known"]


def test_other_namespaces_names_groups_and_versions_are_other_objects() -> None:
    for ref in ({"namespace": "x"}, {"name": "x"}, {"apiGroup": "x"}, {"resource": "x"}):
        assert pairs(follow(CREATE, event("update", deployment(2), stored(2), ref=ref))) == [("create", 1, None)]
    beta = {**deployment(2), "apiVersion": "apps/v1beta1"}
    changed = {**stored(2), "apiVersion": "apps/v1beta1"}
    read = follow(
        CREATE,
        event("update", beta, changed, ref={"apiVersion": "v1beta1"}),  # the old one is known in another version
        event("update", deployment(3), stored(3)),  # and now this one
        event("update", deployment(4), stored(4)),
    )
    assert pairs(read) == [("create", 1, None), ("update", 4, 3)]


@each(
    "between",
    [
        event("delete", {"kind": "DeleteOptions", "apiVersion": "v1"}, stored(1)),
        event("deletecollection", ref={"name": ""}),
        event("update", level="Metadata"),
        event("patch", {"spec": {}}, level="Request"),
        event(
            "patch",
            {"spec": {}},
            {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "web"}},
        ),
        event("update", {"kind": "Scale", "apiVersion": "autoscaling/v1"}, ref={"subresource": "scale"}),
        event("create", {"kind": "Eviction", "apiVersion": "policy/v1"}, ref={"subresource": "eviction"}),
        event("update", level="Metadata", responseStatus={}),
    ],
    ids=lambda event: event["verb"],
)
def test_objects_that_may_have_changed_unseen_are_forgotten(between: Any) -> None:
    read = follow(CREATE, between, event("update", deployment(2), stored(2)), event("update", deployment(3), stored(3)))
    assert [pair for pair in pairs(read) if pair[1] not in ("Scale", "Eviction")] == [
        ("create", 1, None),
        ("update", 3, 2),
    ]
    assert "1 event of updates of which the old object is not known" in read.sentences or len(read.sentences) > 0


@each(
    "between",
    [
        event("delete", code=403),
        event("delete", query="?dryRun=All"),
        event("deletecollection", ref={"name": "", "namespace": "shop2"}),
        event("patch", {"spec": {}}, code=422),
        event("update", deployment(7), code=409),
        event("create", deployment(7), stored(7), 201, stage="RequestReceived"),
        event("create", deployment(7), stored(7), 201, stage="Panic"),
        event("list", None, {"kind": "DeploymentList", "apiVersion": "apps/v1", "items": []}),
        event("watch", ref={"name": ""}),
        event("create", level="Request", ref={"subresource": "token"}),
        event("get", None, {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {}, "rows": []}),
        event(
            "get",
            None,
            {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": "web"}},
            ref={"subresource": "scale"},
        ),
        {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "verb": "get", "stage": "ResponseComplete"},
    ],
    ids=lambda event: event["verb"],
)
def test_other_events_change_nothing(between: Any) -> None:
    read = follow(CREATE, between, event("update", deployment(2), stored(2)))
    assert [pair for pair in pairs(read) if pair[1] != 7] == [("create", 1, None), ("update", 2, 1)]


def test_a_get_teaches_the_object() -> None:
    assert pairs(follow(event("get", None, stored(1)), event("update", deployment(2), code=422))) == [("update", 2, 1)]


def test_patches_and_updates_can_create() -> None:
    read = follow(
        event("patch", {"kind": "Deployment", "apiVersion": "apps/v1"}, stored(1), 201, query="?fieldManager=a"),
        event("update", deployment(2, "b"), stored(2, "b"), 201, ref={"name": "b"}),
    )
    assert pairs(read) == [("create", 1, None), ("create", 2, None)]


# --- order ------------------------------------------------------------------------------------------------------------


def at(second: int, one: dict[str, Any]) -> dict[str, Any]:
    """The event at a time."""
    times = {"requestReceivedTimestamp": f"2024-05-01T10:00:{second:02}.0Z"}
    return {**one, **times, "stageTimestamp": f"2024-05-01T10:00:{second:02}.5Z"}


LATE = "that stand before earlier ones of the same object, which was put right"


def test_events_are_put_in_order_wherever_they_stand() -> None:
    told = [
        at(1, CREATE),
        at(2, event("update", deployment(2), stored(2))),
        at(3, event("get", None, stored(2))),
        at(4, event("patch", {"spec": {"replicas": 3}}, stored(3))),
        at(5, event("update", deployment(-4), code=422)),
        at(9, event("update", deployment(6), stored(6))),  # its answer was slow
        at(6, event("update", deployment(8), stored(8))),
        at(10, event("delete", {"kind": "DeleteOptions"}, {"kind": "Status", "apiVersion": "v1", "details": {}})),
        at(11, event("update", deployment(9), stored(9))),
    ]
    wanted = [("create", 1, None), ("update", -4, 3), ("update", 2, 1), ("update", 3, 2), ("update", 6, 3)]
    wanted.append(("update", 8, 6))
    draw = random.Random(5)
    for _ in range(drawn(30)):
        draw.shuffle(told)
        read = follow(*told)
        assert sorted(pairs(read), key=str) == sorted(wanted, key=str)
        assert "1 event of updates of which the old object is not known" in read.sentences
    assert any(each.endswith(f"events {LATE}") for each in read.sentences)


def test_logs_of_several_servers_are_one_log() -> None:
    """Each server writes a file of its own, and the requests for an object go to all of them."""
    Path("logs").mkdir()
    changes = [at(n, event("update", deployment(n), stored(n))) for n in range(2, 30)]
    for server in range(3):
        lines = [json.dumps(one) + "\n" for one in [at(1, CREATE), *changes][server::3]]
        Path(f"logs/{server}.log").write_text("".join(lines))
    read = Read("logs")
    assert sorted(pairs(read), key=lambda pair: pair[1]) == [
        ("create", 1, None),
        *(("update", n, n - 1) for n in range(2, 30)),
    ]
    assert read.sentences == [f"9 events {LATE}"]


def test_a_request_says_which_state_it_replaces() -> None:
    def put(new: int, **old: Any) -> dict[str, Any]:
        return event("update", deployment(new, **old), stored(new))

    unknown = "1 event of updates of which the old object is not known"
    assert pairs(follow(CREATE, put(3, resourceVersion="1001"))) == [("create", 1, None), ("update", 3, 1)]
    assert pairs(follow(CREATE, put(3, resourceVersion="0", uid=UID))) == [("create", 1, None), ("update", 3, 1)]
    for old in ({"resourceVersion": "1002"}, {"resourceVersion": "opaque"}):  # there was another one between
        read = follow(CREATE, put(3, **old))
        assert (pairs(read), read.sentences) == ([("create", 1, None)], [unknown])
    anew = stored(3)
    anew["metadata"]["uid"] = "another"  # it was deleted and created where the log does not show it
    read = follow(CREATE, event("update", deployment(3), anew))
    assert (pairs(read), read.sentences) == ([("create", 1, None)], [unknown])


def test_where_events_could_not_be_read_only_what_names_a_version_is_paired(here: Path) -> None:
    patch = event("patch", {"spec": {"replicas": 4}}, stored(4))
    update = event("update", deployment(5, resourceVersion="1004"), stored(5))
    lines = [json.dumps(each, separators=(",", ":")) for each in (CREATE, patch, update)]
    torn = json.dumps(event("patch", {}, stored(3)), separators=(",", ":"))
    (here / "objects.jsonl").write_text('{"apiVersion": "v1", "kind"\n')
    for name, text, paired in (
        ("begin", torn[:200], False),
        ("end", torn[-200:], False),
        ("whole", torn.replace("patch", "watch"), True),
        ("no event", '{"kind":', True),
    ):
        (here / "audit.log").write_text("\n".join([lines[0], text, *lines[1:]]) + "\n")
        found = [each.old and each.old["spec"]["replicas"] for each in Read("audit.log", "objects.jsonl").requests]
        assert found == ([None, 1, 4] if paired else [None, 4]), name
    (here / "audit.log").write_text("\n".join(lines) + "\n")
    read = Read("audit.log", "gone.log")
    assert [each.old and each.old["spec"]["replicas"] for each in read.requests] == [None, 4]
    assert read.sentences == ["1 event of updates of which the old object is not known"]


def test_old_objects_without_a_new_one_are_counted() -> None:
    Path("old.jsonl").write_text("".join(json.dumps(stored(1, name)) + "\n" for name in ("web", "a", "b", "b", "c")))
    update = event("update", deployment(2), stored(2))
    read = follow(update, deployment(5, "a"), old=["old.jsonl"])
    assert pairs(read) == [("update", 2, 1), ("update", 5, 1)]
    assert read.sentences == ["2 objects of --old without a new one"]
    assert follow(deployment(5, "a"), update, old=["old.jsonl"], skip=1).sentences == read.sentences
    changed = event("update", deployment(2, resourceVersion="1000"), stored(2))
    assert pairs(follow(changed, old=["old.jsonl"])) == []  # the dump is of another time


# --- names and subresources -------------------------------------------------------------------------------------------


def test_generated_names_are_filled_in_as_the_server_does() -> None:
    sent = deployment(1)
    sent["metadata"] = {"generateName": "web-"}
    answered = stored(1, "web-x7k2p")
    read = follow(
        event("create", sent, answered, 201, ref={"name": ""}),
        event("update", deployment(2), stored(2), ref={"name": "web-x7k2p"}),
        event("create", {**sent, "metadata": {"generateName": "w" * 60}}, code=422, ref={"name": ""}),
    )
    assert pairs(read) == [("create", 1, None), ("update", 2, 1), ("create", 1, None)]
    assert read.ordered[0].obj["metadata"] == {"generateName": "web-", "namespace": "shop", "name": "web-x7k2p"}
    assert read.ordered[2].obj["metadata"]["name"] == "w" * 58 + "xxxxx"


def test_a_namespace_is_in_no_namespace() -> None:
    obj = {"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "shop"}}
    ref = {"resource": "namespaces", "name": "shop", "namespace": "shop", "apiGroup": ""}
    created = event("create", obj, {**obj, "spec": {}}, 201, ref={**ref, "namespace": ""})
    read = follow(created, event("update", obj, obj, ref=ref))
    assert read.objects == [obj, obj]
    assert [r.old for r in read.requests] == [None, {**obj, "spec": {}}]


def test_subresources() -> None:
    def scale(replicas: int) -> dict[str, Any]:
        metadata = {"name": "web", "namespace": "shop"}
        return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata, "spec": {"replicas": replicas}}

    read = follow(
        CREATE,
        event("update", deployment(1), stored(2), ref={"subresource": "status"}),
        event("patch", {"status": {}}, stored(3), ref={"subresource": "status"}),
        event("update", deployment(4), stored(4)),
        event("get", None, scale(4), ref={"subresource": "scale"}),
        event("update", scale(5), scale(5), ref={"subresource": "scale"}),
        event("update", scale(6), scale(6), ref={"subresource": "scale"}),
        event(
            "create",
            {"kind": "Binding", "apiVersion": "v1", "metadata": {"name": "web"}},
            failure(201),
            201,
            ref={"subresource": "binding"},
        ),
    )
    assert pairs(read) == [
        ("create", 1, None),
        ("update", 1, 1),
        ("update", 3, 2),
        ("update", 4, 3),
        ("update", "Scale", "Scale"),
        ("update", "Scale", "Scale"),
        ("create", "Binding", None),
    ]
    assert [r.subresource for r in read.requests] == ["/", "/status", "/status", "/", "/scale", "/scale", "/binding"]
    assert [r.old["spec"]["replicas"] for r in read.requests if r.kind == "Scale"] == [4, 5]


# --- what is skipped ----------------------------------------------------------------------------------------------


def test_what_is_passed_over_is_counted_with_its_reason() -> None:
    read = follow(
        *[event("create", level="Metadata")] * 3,
        *[event("get", level="Metadata")] * 2,
        event("patch", {"spec": {}}, level="Request"),
        event("patch", {"spec": {}}, code=422),
        event("update", deployment(1), stored(1)),
        event("list"),
        event("create", stage="RequestReceived"),
        event("create", stage="Panic"),
        event("create", annotations={"audit.k8s.io/truncated": "true"}),
        event("create", {"metadata": {}}),
        event("create", 7),
        {**event("create", deployment(1)), "objectRef": None},
    )
    assert (read.found, read.problems) == ([], [])
    assert read.sentences == [
        "3 events without the object in the request: the audit level is Metadata",
        "2 events of the verb get",
        "2 events whose object has no apiVersion and kind",
        "1 event of refused patches: the log does not have the object that they would have made",
        "1 event of the stage Panic",
        "1 event of the stage RequestReceived",
        "1 event of the verb list",
        "1 event of updates of which the old object is not known",
        "1 event whose objects were too large for the log",
        "1 event without a reference to an object",
        "1 event without the object in the response: the audit level is Request",
    ]


# --- forms ------------------------------------------------------------------------------------------------------------

EVENTS = [CREATE, event("update", deployment(2), stored(2)), event("get"), event("update", deployment(3), code=422)]


def test_lists_of_events_in_any_form(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": {}, "items": EVENTS}
    bare = [{key: value for key, value in one.items() if key not in ("kind", "apiVersion")} for one in EVENTS]
    reverse = dict(reversed(whole.items())) | {"items": [dict(reversed(one.items())) for one in EVENTS]}
    lists = (whole, {**whole, "items": bare}, reverse, EVENTS)
    texts = [json.dumps(one, indent=indent) for one in lists for indent in (None, 2)]
    texts += [json.dumps({**whole, "items": [one]}) + "\n" for one in EVENTS[:1]]
    texts[-1] += json.dumps({**whole, "items": bare[1:]})
    for limit in (json_pieces.LONG, 100):
        monkeypatch.setattr(json_pieces, "LONG", limit)
        for text in texts:
            for pack in (bytes, gzip.compress):
                Path("a").write_bytes(pack(text.encode()))
                assert pairs(Read("a")) == [("create", 1, None), ("update", 2, 1), ("update", 3, 2)]


def test_objects_and_events_in_one_input() -> None:
    policy = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}
    mixed = {"kind": "List", "apiVersion": "v1", "items": [policy, CREATE]}
    read = follow(deployment(9), policy, CREATE, mixed)
    assert read.requests[1].kind == "Policy"
    assert pairs(read) == [
        ("create", 9, None),
        ("create", "Policy", None),
        ("create", 1, None),
        ("create", "Policy", None),
        ("create", 1, None),
    ]
    # Events come when all of them are known.
    assert [item.order for item in read.items] == [(1, 1), (1, 2), (1, 4), (1, 3), (1, 5)]


def test_malformed_events_are_told() -> None:
    text = json.dumps(CREATE, separators=(",", ":"))
    nan = text.replace('"replicas":1', '"replicas":NaN', 1)
    again = text.replace('"replicas":1', '"replicas":1,"replicas":2', 1)
    Path("a.log").write_text("\n".join([text, text[:200], nan, again, text, ""]))
    read = Read("a.log")
    assert len(read.objects) == 2
    assert read.bad[0].startswith("a.log:2:163: not JSON: Unterminated string")
    assert read.bad[1].startswith("a.log:3:")
    assert "NaN is not JSON" in read.bad[1]
    assert (
        f"a.log:4:{again.index('replicas', again.index('replicas') + 9)}: the key `replicas` is there twice"
        in read.bad[2]
    )
    Path("a.yaml").write_text(yaml.safe_dump(CREATE))
    assert Read("a.yaml").bad[0].startswith("a.yaml:1: events of an audit log are read from JSON only")


_VALUES = st.sampled_from(
    [None, True, 7, -1.5, "", "x", "\ud800", [], [1], {}, {"name": 1}, {"metadata": []}, stored(1), "update", 201]
)


@settings(max_examples=drawn(300), deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(EVENTS), st.dictionaries(st.sampled_from(list(CREATE)), _VALUES, max_size=2)),
        max_size=4,
    )
)
def test_events_of_any_form_never_raise(events: list[Any]) -> None:
    read = follow(*({**one, **changes} for one, changes in events), {"deep": '"audit.k8s.io/', "x": [[[]]]})
    assert read.problems == []
    deep = "[" * 300 + json.dumps(CREATE) + "]" * 300
    Path("a").write_text(f"{json.dumps(CREATE)}\n{deep}\n")
    assert Read("a").bad[0].startswith("a:2:2: a")


# --- runs -------------------------------------------------------------------------------------------------------------


def test_a_log_goes_on_in_the_next_file_and_after_an_interruption() -> None:
    for number, one in enumerate(EVENTS):
        Path("logs").mkdir(exist_ok=True)
        Path(f"logs/audit-{number}.log").write_text(json.dumps(one) + "\n")
    whole = Read("logs")
    assert pairs(whole) == [("create", 1, None), ("update", 2, 1), ("update", 3, 2)]
    for skip in range(4):
        rest = Read("logs", skip=skip)
        assert rest.found == whole.found[skip:]
        assert rest.sentences == whole.sentences


def test_old_objects_from_files_begin_the_trail() -> None:
    Path("old.yaml").write_text(yaml.safe_dump(stored(1)))
    update = event("update", deployment(2), stored(2))
    assert pairs(follow(update, event("update", deployment(3)), old=["old.yaml"])) == [
        ("update", 2, 1),
        ("update", 3, 2),
    ]
    assert pairs(follow(event("delete"), update, old=["old.yaml"])) == []


def test_temporary_files_are_deleted(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(here / "tmp"))
    Path("old.yaml").write_text(yaml.safe_dump(stored(1)))
    assert pairs(follow(*EVENTS, old=["old.yaml"]))
    assert list(Path("tmp").iterdir()) == []
    monkeypatch.setattr("tempfile.tempdir", str(here / "nowhere"))
    (problem,) = follow(CREATE).problems
    assert problem[0] == "VG903"
    assert "cannot keep objects in a temporary file" in problem[2]
