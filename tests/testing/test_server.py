"""The server without pytest: its start, its inputs, its asserts, its snapshots."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import ssl
import subprocess
import sys
import threading
import time
import unittest
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio
import pytest

from tests.server.asking import Asking
from tests.testing.kites import KITES, ask, definition, kite, watching
from validation_gen.testing import ApiServer, ConditionError, InputError, RequestError
from validation_gen.testing.inputs import _definitions_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from validation_gen.apiserver.application import Application

ROOT = Path(__file__).parents[2]
TYPES = """\
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Kite struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec KiteSpec `json:"spec"`
}

type KiteSpec struct {
	// +k8s:optional
	// +k8s:maximum=7
	Size int32 `json:"size,omitempty"`
}
"""
CLASSES = '''\
"""+groupName=example.com"""
from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import Maximum
from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class KiteSpec:
    size: Annotated[int, Int32, Maximum(7)]


@dataclass(kw_only=True)
class Kite(TypeMeta):
    metadata: ObjectMeta
    spec: KiteSpec
'''


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_it_serves_while_the_block_runs() -> None:
    with ApiServer(crds=definition(), objects=[kite()]) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert ask(server.url, "GET", f"{KITES}/red").json["spec"] == {"size": 3}
        url = server.url
    with pytest.raises(ConnectionError):
        ask(url, "GET", "/healthz")


def test_servers_know_nothing_of_each_other() -> None:
    with ApiServer(crds=definition()) as one, ApiServer(crds=definition()) as other:
        one.client.create(kite())
        assert other.client.list("Kite") == []


def test_a_server_ends_although_a_client_watches() -> None:
    server = ApiServer(crds=definition(), objects=kite()).start()
    with watching(server.url) as events:
        next(events)
        began = time.monotonic()
        server.close()
        assert time.monotonic() - began < 1
        assert not list(events)


def test_definitions_come_from_files_directories_and_types(tmp_path: Path) -> None:
    file = _write(tmp_path / "crds" / "kites.json", json.dumps(definition()))
    _write(tmp_path / "crds" / "notes.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: notes}\n")
    types = _write(tmp_path / "go" / "v1" / "types.go", TYPES).parent.parent
    for source in (file, str(file.parent), "crds", types):
        with ApiServer(crds=[source], base=tmp_path) as server:
            assert server.client.create(kite(size=7))["spec"] == {"size": 7}
            if source == types:
                with pytest.raises(RequestError, match="should be less than or equal to 7"):
                    server.client.create(kite("blue", size=8))


def test_definitions_come_from_classes(tmp_path: Path) -> None:
    source = _write(tmp_path / "kites" / "v1.py", CLASSES)
    with ApiServer(crds=source.parent) as server, pytest.raises(RequestError, match="less than or equal to 7"):
        server.client.create(kite(size=8))


def test_what_is_read_is_kept_until_it_changes(tmp_path: Path) -> None:
    file = _write(tmp_path / "crd.json", json.dumps(definition()))
    _definitions_at.cache_clear()
    for plural, kind, hits in (("kites", "Kite", 0), ("kites", "Kite", 1), ("owls", "Owl", 1)):
        _write(file, json.dumps(definition(plural=plural, kind=kind)))
        with ApiServer(crds=file) as server:
            assert server.client.list(kind) == []
        assert _definitions_at.cache_info().hits == hits


def test_a_server_is_used_once(tmp_path: Path) -> None:
    server = ApiServer(crds=definition())
    address: Callable[[], Any] = lambda: server.url  # noqa: E731
    uses: list[Callable[[], Any]] = [
        lambda: server.client,
        lambda: server.kubeconfig,
        lambda: server.events("Kite"),
        lambda: server.history(kite()),
        lambda: server.wait_for(lambda: True),
        server.dump,
        server.add,
        server.make_namespace,
    ]
    for use in [*uses, address]:
        with pytest.raises(RuntimeError, match=r"has not begun: write `with ApiServer\(…\) as server:`"):
            use()
    server.close()
    with server:
        with pytest.raises(RuntimeError, match="runs already: make another one"):
            server.start()
        assert server.client.list("Kite") == []
    for use in uses:
        with pytest.raises(RuntimeError, match="is closed"):
            use()
    server.close()
    with pytest.raises(RuntimeError, match="is closed: make another one"):
        server.start()
    broken = ApiServer(crds=tmp_path / "gone")
    with pytest.raises(InputError):
        broken.start()
    with pytest.raises(RuntimeError, match="is closed"):
        broken.client.list("Kite")


@pytest.mark.process
def test_a_server_that_is_never_closed_leaves_nothing(tmp_path: Path) -> None:
    code = "from validation_gen.testing import ApiServer\nprint(ApiServer().start().kubeconfig)\n"
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, timeout=30, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not Path(done.stdout.strip()).exists()


def test_inputs_that_cannot_be_used(tmp_path: Path) -> None:
    broken = _write(tmp_path / "broken.yaml", "a: [\n")
    none = _write(tmp_path / "none.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    with pytest.raises(InputError, match=r"there is no file or directory .*gone"):
        ApiServer(crds=tmp_path / "gone").start()
    with pytest.raises(InputError, match=r"broken\.yaml"):
        ApiServer(crds=broken).start()
    with pytest.raises(InputError, match=r"no definition, and no type of an API, is in .*none\.yaml"):
        ApiServer(crds=none).start()
    with pytest.raises(InputError, match="crds: None is no path and no object"):
        ApiServer(crds=cast("Any", None)).start()
    with pytest.raises(InputError, match="objects: 3 is no path and no object"):
        ApiServer(objects=[cast("Any", 3)]).start()
    with pytest.raises(InputError, match="gates: there are no `webhooks` whose validators they switch"):
        ApiServer(gates={"Beta": True}).start()
    with pytest.raises(RequestError, match='400: no matches for kind "Kite" in version ""'):
        ApiServer(objects={"kind": "Kite"}).start()
    with pytest.raises(RequestError, match=r"spec\.size") as refusal:
        ApiServer(crds=definition(), objects=kite(size=101)).start()
    assert (refusal.value.code, refusal.value.reason) == (422, "Invalid")


def test_the_client_names_kinds_in_several_ways() -> None:
    with ApiServer(crds=[definition(versions=("v1", "v2")), definition(plural="owls", kind="Owl")]) as server:
        client = server.client
        client.create(kite(namespace="air"))
        for kind in ("Kite", "kites", "kites.example.com", "example.com/v1/Kite"):
            assert client.get(kind, "red", "air")["apiVersion"] == "example.com/v1"
        assert client.get("example.com/v2/Kite", "red", "air")["apiVersion"] == "example.com/v2"
        assert [obj["kind"] for obj in client.list("Kite", "air")] == ["Kite"]
        with pytest.raises(LookupError, match=r"no kind Kte \(did you mean Kite\?\); it has .*Kite, .*Owl"):
            client.get("Kte", "red")
        with pytest.raises(RequestError, match=r"404: kites\.example\.com"):
            client.get("Kite", "red")


def test_the_client_has_the_verbs() -> None:
    with ApiServer(crds=definition()) as server:
        client = server.client
        obj = client.create(kite(labels={"a": "b"}, finalizers=["example.com/held"]))
        assert client.update({**obj, "spec": {"size": 5}})["metadata"]["generation"] == 2
        assert client.patch("Kite", "red", {"status": {"phase": "Up"}}, subresource="status")["status"]["phase"] == "Up"
        assert client.apply(kite(size=5), manager="argo")["spec"] == {"size": 5}
        with pytest.raises(RequestError, match="conflict with"):
            client.apply(kite(size=6), manager="argo")
        assert client.apply(kite(size=6), manager="argo", force=True)["spec"] == {"size": 6}
        assert [len(client.list("Kite", labels=labels)) for labels in ("", "a=b", "a=c")] == [1, 1, 0]
        client.delete("Kite", "red")
        assert client.get("Kite", "red")["metadata"]["deletionTimestamp"]
        client.patch("Kite", "red", {"metadata": {"finalizers": None}})
        assert client.list("Kite") == []


def test_tls_with_a_token() -> None:
    with ApiServer(crds=definition(), tls=True) as server:
        config = json.loads(server.kubeconfig.read_text(encoding="utf-8"))
        cluster = config["clusters"][0]["cluster"]
        assert cluster["server"] == server.url
        assert server.environment["KUBECONFIG"] == str(server.kubeconfig)
        context = ssl.create_default_context(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
        token = config["users"][0]["user"]["token"]
        codes = []
        for headers in ({}, {"Authorization": f"Bearer {token}"}):
            connection = http.client.HTTPSConnection("127.0.0.1", int(server.url.rpartition(":")[2]), context=context)
            connection.request("GET", KITES, headers=headers)
            codes.append(connection.getresponse().status)
            connection.close()
        assert codes == [401, 200]


def test_clients_without_sockets_reach_the_application() -> None:
    with ApiServer(crds=definition()) as server:

        async def run() -> list[int]:
            asking = Asking(cast("Application", server.app))
            server.faults.error(503, verb="list")
            answers = [
                await asking.ask("POST", KITES, kite()),
                await asking.ask("GET", KITES),
                await asking.ask("GET", KITES),
            ]
            return [answer.status for answer in answers]

        assert asyncio.run(run()) == [201, 503, 200]


def test_the_clock_of_the_server() -> None:
    with ApiServer(crds=definition()) as server:
        with pytest.raises(TypeError, match="freeze takes a datetime, not '2030-01-01'"):
            server.clock.freeze(cast("Any", "2030-01-01"))
        server.clock.freeze(datetime(2030, 1, 1, tzinfo=timezone.utc))
        assert server.client.create(kite())["metadata"]["creationTimestamp"] == "2030-01-01T00:00:00Z"
        server.clock.tick(3600)
        assert ask(server.url, "GET", KITES).headers["Date"] == "Tue, 01 Jan 2030 01:00:00 GMT"
        with watching(server.url, "&timeoutSeconds=600") as events:
            next(events)
            server.clock.tick(600)
            assert not list(events)


# --- asserts ----------------------------------------------------------------------------------------------------------


def _change(server: ApiServer) -> None:
    ask(server.url, "POST", KITES, kite(), User_Agent="kubectl/1.37")
    status = {"status": {"phase": "Up"}}
    merge = {"Content_Type": "application/merge-patch+json", "User_Agent": "kopf/1.37"}
    ask(server.url, "PATCH", f"{KITES}/red/status", status, **merge)
    server.client.create(kite("blue"))
    server.client.delete("Kite", "red")


def test_events_have_the_changes_of_a_kind() -> None:
    with ApiServer(crds=definition()) as server:
        _change(server)
        found = [(event.type, event.object["metadata"]["name"], event.agent) for event in server.events("Kite")]
        assert found == [
            ("ADDED", "red", "kubectl/1.37"),
            ("MODIFIED", "red", "kopf/1.37"),
            ("ADDED", "blue", "pytest"),
            ("DELETED", "red", "pytest"),
        ]
        assert [event.type for event in server.events("Kite", "red", "default")] == ["ADDED", "MODIFIED", "DELETED"]
        assert server.events("Kite", namespace="other") == []
        assert server.events("Kite")[-1].object["status"] == {"phase": "Up"}


def test_a_history_says_who_wrote_which_field() -> None:
    with ApiServer(crds=definition()) as server:
        server.clock.freeze(datetime(2030, 1, 1, tzinfo=timezone.utc))
        _change(server)
        history = server.history(kite())
        change = history[1].changes[0]
        assert (change.path, change.old, change.new, change.managers) == ("status.phase", None, "Up", ("kopf",))
        assert str(history).splitlines() == [
            f"{history[0].revision} ADDED at 00:00:00 by kubectl/1.37 (create)",
            "    spec.size: null -> 3  [kubectl]",
            f"{history[1].revision} MODIFIED at 00:00:00 by kopf/1.37 (patch status)",
            '    status.phase: null -> "Up"  [kopf]',
            f"{history[2].revision} DELETED at 00:00:00 by pytest (delete)",
        ]


def test_histories_need_an_object() -> None:
    with ApiServer(crds=definition(), objects=kite()) as server:
        assert len(server.history({"kind": "Kite", "metadata": {"name": "red"}})) == 1
        for wrong in ("Kite", {"metadata": {"name": "red"}}):
            with pytest.raises(TypeError, match="an object has apiVersion, kind and metadata, unlike"):
                server.history(cast("Any", wrong))


def test_owners_of_items_and_of_shared_fields() -> None:
    with ApiServer(crds=definition()) as server:
        obj = kite()
        obj["metadata"]["annotations"] = {"example.com/a": "b"}
        obj["spec"]["tails"] = [{"name": "a", "length": 1}]
        server.client.apply(obj, manager="argo")
        server.client.apply(kite(), manager="flux")
        added = {change.path: change.managers for change in server.history(obj)[0].changes}
        paths = ["metadata.annotations[example.com/a]", "spec.size", "spec.tails"]
        assert added == dict.fromkeys(paths, ("argo",))
        server.client.apply(kite(size=4), manager="flux", force=True)
        assert str(server.history(obj)[-1].changes[0]) == "spec.size: 3 -> 4  [flux]"
        server.client.patch("Kite", "red", {"spec": {"tails": [{"name": "a", "length": 2}]}})
        assert str(server.history(obj)[-1].changes[0]) == "spec.tails[0].length: 1 -> 2  [pytest]"


def test_a_condition_is_waited_for() -> None:
    with ApiServer(crds=definition(), objects=kite()) as server:

        def write() -> None:
            ask(server.url, "PATCH", f"{KITES}/red/status", {"status": {"phase": "Up"}}, Content_Type=merge)

        merge = "application/merge-patch+json"
        threading.Timer(0.05, write).start()
        assert server.wait_for(lambda: server.client.get("Kite", "red")["status"]["phase"]) == "Up"


def test_a_condition_that_fails_shows_the_object_and_its_history() -> None:
    with ApiServer(crds=definition(), objects=[kite(), kite("blue")]) as server:
        server.client.patch("Kite", "red", {"status": {"phase": "Down"}}, subresource="status")
        with pytest.raises(ConditionError) as failure:
            server.wait_for(lambda: server.client.get("Kite", "red")["status"]["phase"] == "Up", 0.05)
        lines = str(failure.value).splitlines()
        assert lines[0] == "the condition did not hold in 0.05 s: it returned False"
        assert lines[2] == "Kite default/red:"
        assert "      phase: Down" in lines
        assert '        status.phase: null -> "Down"  [pytest]' in lines
        assert "blue" not in str(failure.value)
        with pytest.raises(ConditionError, match=r"404: kites\.example\.com .*not found") as failure:
            server.wait_for(lambda: server.client.get("Kite", "gone"), 0.01)
        assert "there is no such object" in str(failure.value)


def test_a_condition_of_another_client_shows_what_changed() -> None:
    with ApiServer(crds=definition(), objects=[kite(), kite("blue")]) as server:

        def delete() -> bool:
            return ask(server.url, "DELETE", f"{KITES}/blue").code == 500

        with pytest.raises(ConditionError, match="Kite default/blue:") as failure:
            server.wait_for(delete, 0.02)
        assert "red" not in str(failure.value)


def test_conditions_that_can_never_hold() -> None:
    with ApiServer(crds=definition(), objects=kite()) as server:

        async def read() -> bool:
            return False

        async def block() -> None:
            server.wait_for(lambda: 0, 0.01)

        for wait in (server.wait_for, lambda condition: asyncio.run(server.wait_for_async(condition))):
            with pytest.raises(TypeError, match="a condition is a function, such as a lambda, not True"):
                wait(cast("Any", True))
        with pytest.raises(TypeError, match="is a coroutine function: write `await"):
            server.wait_for(cast("Any", read))
        with pytest.raises(ConditionError, match="it blocked the event loop of its caller: in coroutines, write"):
            asyncio.run(block())
        with pytest.raises(ConditionError, match=r"returned 0\nit read no object by `client`, and no object changed$"):
            server.wait_for(lambda: 0, 0.01)
        with pytest.raises(ConditionError, match="returned False\n\nKite default/red:"):
            server.wait_for(lambda: len(server.client.list("Kite")) == 2, 0.01)


def test_conditions_of_coroutines() -> None:
    with ApiServer(crds=definition(), objects=kite()) as server:

        async def read() -> Any:
            await anyio.sleep(0)
            return server.client.get("Kite", "red")["status"]["phase"]

        async def run() -> tuple[Any, Any]:
            server.client.patch("Kite", "red", {"status": {"phase": "Up"}}, subresource="status")
            return await server.wait_for_async(read), await server.wait_for_async(lambda: server.url)

        async def fail() -> None:
            await server.wait_for_async(lambda: server.client.get("Kite", "gone"), 0.02)

        assert asyncio.run(run()) == ("Up", server.url)
        with pytest.raises(ConditionError, match="Kite default/gone"):
            asyncio.run(fail())


# --- snapshots and namespaces -----------------------------------------------------------------------------------------


def test_a_snapshot_is_loaded_again(tmp_path: Path) -> None:
    with ApiServer(crds=definition(), objects=kite(finalizers=["example.com/held"])) as server:
        server.client.patch("Kite", "red", {"status": {"phase": "Up"}}, subresource="status")
        server.client.delete("Kite", "red")
        text = server.dump(tmp_path / "state.yaml")
        before = server.client.get("Kite", "red")
    assert (tmp_path / "state.yaml").read_text(encoding="utf-8") == text
    with ApiServer(objects=tmp_path / "state.yaml") as server:
        after = server.client.get("Kite", "red")
        for obj in (before, after):
            obj["metadata"].pop("resourceVersion")
        assert after == before
        assert after["metadata"]["deletionTimestamp"]
        assert server.dump().count("\n---") == text.count("\n---")
        server.client.create(kite("blue"))


def test_built_in_objects_have_histories_and_snapshots(tmp_path: Path) -> None:
    kinds = {"ConfigMap": "v1", "Lease": "coordination.k8s.io/v1", "Namespace": "v1"}
    with ApiServer() as server:
        for kind, version in kinds.items():
            obj = {"apiVersion": version, "kind": kind, "metadata": {"name": "red", "labels": {"a": "b"}}}
            server.client.create(obj)
            assert [event.agent for event in server.events(kind, "red")] == ["pytest"]
            server.client.patch(kind, "red", {"metadata": {"labels": {"a": "c"}}})
            changes = server.history(obj)[1].changes
            assert [str(change) for change in changes] == ['metadata.labels.a: "b" -> "c"  [pytest]']
        before = [server.client.get(kind, "red") for kind in kinds]
        server.dump(tmp_path / "state.yaml")
    with ApiServer(objects=tmp_path / "state.yaml") as server:
        after = [server.client.get(kind, "red") for kind in kinds]
    for read in (*before, *after):
        read["metadata"].pop("resourceVersion")
    assert after == before


def test_a_namespace_is_gone_with_all_that_is_in_it() -> None:
    with ApiServer(crds=definition()) as server:
        name = server.make_namespace()
        meta = {"name": "red", "namespace": name}
        for obj in (kite(), {"apiVersion": "v1", "kind": "ConfigMap"}):
            server.client.create({**obj, "metadata": meta})
        server.client.get("Namespace", name)
        server.delete_namespace(name)
        time.sleep(0.1)  # controllers may act
        assert name not in server.dump()


def test_namespaces_are_emptied() -> None:
    with ApiServer(crds=definition()) as server:
        one, other = server.make_namespace(), server.make_namespace("other")
        assert one.startswith("test-")
        for name in (one, other):
            server.client.create(kite(namespace=name, finalizers=["example.com/held"]))
        server.delete_namespace(one)
        assert [obj["metadata"]["namespace"] for obj in server.client.list("Kite")] == [other]


def test_objects_are_added_later() -> None:
    with ApiServer() as server:
        server.add(crds=definition(), objects=[kite(), kite("blue", namespace="own")], namespace="air")
        server.add(crds=definition(), objects=kite(), namespace="air")
        assert [obj["metadata"]["namespace"] for obj in server.client.list("Kite")] == ["air", "own"]


class KiteTest(unittest.TestCase):
    """The server in the tests of `unittest`."""

    def setUp(self) -> None:
        self.server = ApiServer(crds=definition()).start()
        self.addCleanup(self.server.close)

    def test_create(self) -> None:
        self.server.client.create(kite())
        assert len(self.server.client.list("Kite")) == 1


def test_a_server_can_run_in_a_forked_process() -> None:
    code = (
        "import os, sys\n"
        "from validation_gen.testing import ApiServer\n"
        "with ApiServer():\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        with ApiServer() as server:\n"
        "            server.client.list('CustomResourceDefinition')\n"
        "        os._exit(7)\n"
        "    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=30, check=False, capture_output=True)
    assert done.returncode == 7, done.stderr
