"""The plugin for pytest: fixtures, the marker, reports, other plugins, and its cost."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import validation_gen.testing
from tests.testing.kites import definition, kite
from validation_gen.testing.hooks import certified

pytest_plugins = "pytester"
HOME = Path(validation_gen.__file__).parents[1]
#: The least time for a test of the suite with a fresh server, in seconds of the processor; the aim is 0.15.
_MOST_SECONDS = 0.15
PLUGINS = ("-p", "validation_gen.testing.plugin", "-p", "no:cacheprovider")
HEAD = """\
import json
import os
import urllib.error
import urllib.request

import pytest

with open("kites.json") as file:
    CRD = json.load(file)


def kite(name="red", **metadata):
    meta = {"name": name, **metadata}
    return {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": meta, "spec": {"size": 3}}


def get(server, path="/apis/example.com/v1/kites"):
    with urllib.request.urlopen(server.url + path) as response:
        return json.load(response)
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    (pytester.path / "kites.json").write_text(json.dumps(definition()), encoding="utf-8")
    (pytester.path / "red.json").write_text(json.dumps(kite()), encoding="utf-8")
    return pytester


def _run(project: pytest.Pytester, text: str, *args: str, conftest: str = "") -> pytest.RunResult:
    project.makepyfile(test_kites=HEAD + text)
    if conftest:
        project.makeconftest(conftest)
    return project.runpytest_inprocess(*PLUGINS, "--strict-markers", *args)


def test_a_fresh_server_has_what_the_markers_name(project: pytest.Pytester) -> None:
    text = """
pytestmark = pytest.mark.kube(crds="kites.json")


@pytest.mark.kube(objects=["red.json", kite("blue")])
def test_objects(kube_api):
    assert [obj["metadata"]["name"] for obj in kube_api.client.list("Kite")] == ["blue", "red"]
    kube_api.client.create(kite("green"))


def test_fresh(kube_api):
    assert get(kube_api)["items"] == []


@pytest.mark.kube(objects=[kite("inner")])
class TestClass:
    @pytest.mark.kube(objects=[kite("innermost")])
    def test_both(self, kube_api):
        assert len(get(kube_api)["items"]) == 2
"""
    _run(project, text).assert_outcomes(passed=3)


def test_one_server_for_all_has_namespaces(project: pytest.Pytester) -> None:
    conftest = """
import pytest

@pytest.fixture(scope="session")
def kube_options():
    return {"crds": ["kites.json"]}
"""
    text = """
SEEN = []


@pytest.mark.kube(objects=["red.json"])
@pytest.mark.parametrize("number", [1, 2])
def test_own(kube_api_session, kube_namespace, number):
    client = kube_api_session.client
    client.create(kite("held", namespace=kube_namespace, finalizers=["example.com/held"]))
    assert [obj["metadata"]["namespace"] for obj in client.list("Kite")] == [kube_namespace] * 2
    SEEN.append((kube_api_session.url, kube_namespace))


def test_empty(kube_api_session, kube_api):
    assert len({url for url, _ in SEEN}) == 1 and len(set(SEEN)) == 2
    assert get(kube_api_session)["items"] == []
    assert kube_api.url != kube_api_session.url
"""
    _run(project, text, conftest=conftest).assert_outcomes(passed=3)


def test_the_kubeconfig_is_in_the_environment(project: pytest.Pytester) -> None:
    text = """
def test_one(kube_api, kubeconfig):
    assert os.environ["KUBECONFIG"] == str(kubeconfig) == str(kube_api.kubeconfig)
    assert kube_api.url in kubeconfig.read_text()


def test_session(kubeconfig, kube_api_session):
    assert kube_api_session.url in kubeconfig.read_text()


@pytest.mark.kube(crds=CRD, objects=kite())
def test_alone(kubeconfig, kube_clock):
    class Server:
        url = json.loads(kubeconfig.read_text())["clusters"][0]["cluster"]["server"]

    kube_clock.freeze()
    assert len(get(Server)["items"]) == 1


def test_after():
    assert "KUBECONFIG" not in os.environ
"""
    _run(project, text).assert_outcomes(passed=4)


def test_the_clock_is_reset(project: pytest.Pytester) -> None:
    text = """
from datetime import datetime, timezone

pytestmark = pytest.mark.kube(crds=[CRD])


def test_frozen(kube_api_session, kube_clock, kube_namespace):
    kube_clock.freeze(datetime(2030, 1, 1))
    kube_clock.tick(60)
    meta = kube_api_session.client.create(kite(namespace=kube_namespace))["metadata"]
    assert meta["creationTimestamp"] == "2030-01-01T00:01:00Z"


def test_reset(kube_api_session):
    now = datetime.now(timezone.utc)
    assert abs((kube_api_session.clock.now() - now).total_seconds()) < 5
"""
    _run(project, text).assert_outcomes(passed=2)


def test_a_failure_shows_the_faults(project: pytest.Pytester) -> None:
    text = """
@pytest.mark.kube(crds=CRD)
def test_fails(kube_api):
    kube_api.faults.error(503, chance=0.999999, seed=7)
    get(kube_api)


@pytest.mark.kube(crds=CRD)
def test_fails_in_session(kube_api_session, kube_namespace):
    kube_api_session.faults.throttle(5)
    get(kube_api_session)


@pytest.mark.kube(crds=CRD)
def test_no_faults(kube_api_session, kube_namespace):
    get(kube_api_session)
    raise AssertionError


@pytest.mark.kube(crds=CRD, objects=kite())
def test_waits(kube_api):
    kube_api.wait_for(lambda: kube_api.client.get("Kite", "red")["status"], 0.01)
"""
    result = _run(project, text)
    result.assert_outcomes(failed=4)
    lines = result.outlines
    assert sum("faults of the API server" in line for line in lines) == 2
    result.stdout.fnmatch_lines(
        [
            "refusal with 503: 1 injection in 1 matching request, seed=7",
            "  +0.* s refusal with 503: GET /apis/example.com/v1/kites by Python-urllib/*",
            "refusal with 429: 1 injection in 1 matching request",
            "E *ConditionError: the condition did not hold in 0.01 s: KeyError: 'status'",
            "E *Kite default/red:",
        ]
    )
    assert not any("history.py" in line for line in lines)


def test_mistakes_have_words(project: pytest.Pytester) -> None:
    text = """
from validation_gen.runtime.registry import Registry


@pytest.mark.kube(crd=CRD)
def test_name(kube_api):
    pass


@pytest.mark.kube(webhooks=print)
def test_webhooks(kube_namespace):
    pass


@pytest.mark.kube(crds="gone")
def test_path(kube_api):
    pass


@pytest.mark.kube(CRD)
def test_positions(kube_api):
    pass


@pytest.mark.kube(webhooks=Registry("tests"), gates="red.json")
def test_gates(kube_api):
    pass


@pytest.mark.kube(crds=CRD, objects={**kite(), "spec": {"size": 101}})
def test_object(kube_namespace):
    pass
"""
    result = _run(project, text)
    result.assert_outcomes(errors=6)
    result.stdout.fnmatch_lines(
        [
            "kube has no argument crd (did you mean crds[?]): write one of crds, objects, webhooks, gates",
            "webhooks and gates of one server for all tests belong into kube_options",
            "there is no file or directory *gone",
            "kube takes keywords alone: crds, objects, webhooks, gates",
            "*red.json:1:16: there is no key apiVersion*",
            '422: Kite.example.com "red" is invalid: spec.size: Invalid value: 101: *',
        ]
    )
    assert "plugin.py" not in result.stdout.str()
    assert result.stdout.str().count("there is no file or directory") == 2  # and once more in the summary


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ('{"crd": "kites.json"}', "kube_options has no argument crd (did you mean crds[?]): write one of *, tls"),
        ('{"crds": "kites.json", "tls": True}', "https://127.0.0.1:*"),
    ],
)
def test_arguments_of_all_servers(project: pytest.Pytester, options: str, text: str) -> None:
    certified()  # imports cryptography, which a process cannot import again
    conftest = f"""
import pytest

@pytest.fixture(scope="session")
def kube_options():
    return {options}
"""
    tests = """
@pytest.mark.parametrize("name", ["kube_api", "kube_api_session"])
def test_it(request, name):
    pytest.fail(request.getfixturevalue(name).url, pytrace=False)
"""
    result = _run(project, tests, conftest=conftest)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines([text, "*test_it*", text])


def test_coroutines_and_other_kinds_of_tests(project: pytest.Pytester) -> None:
    text = """
import asyncio
import unittest

import anyio

from validation_gen.testing import ApiServer

pytestmark = pytest.mark.kube(crds=CRD, objects=kite())


async def write(server):
    await asyncio.to_thread(server.client.patch, "Kite", "red", {"status": {"phase": "Up"}}, subresource="status")


@pytest.mark.asyncio
async def test_asyncio(kube_api):
    task = asyncio.ensure_future(write(kube_api))
    assert await kube_api.wait_for_async(lambda: kube_api.client.get("Kite", "red")["status"]["phase"]) == "Up"
    await task


@pytest.mark.anyio
async def test_anyio(kube_api, anyio_backend):
    async with anyio.create_task_group() as group:
        group.start_soon(write, kube_api)
        await kube_api.wait_for_async(lambda: kube_api.client.get("Kite", "red")["status"]["phase"] == "Up")


@pytest.fixture
def anyio_backend():
    return "asyncio"


class TestCase(unittest.TestCase):
    def test_it(self):
        with ApiServer(crds=CRD) as server:
            self.assertEqual(server.client.list("Kite"), [])
"""
    args = (
        "-p",
        "pytest_asyncio.plugin",
        "-p",
        "anyio.pytest_plugin",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
    )
    _run(project, text, *args).assert_outcomes(passed=3)


@pytest.mark.process
def test_workers_have_servers_of_their_own(project: pytest.Pytester) -> None:
    text = """
@pytest.mark.kube(crds=CRD)
@pytest.mark.parametrize("number", range(6))
def test_it(kube_api, kube_api_session, kube_namespace, number):
    kube_api_session.client.create(kite(namespace=kube_namespace))
    kube_api.client.create(kite())
    assert len(get(kube_api)["items"]) == 1
"""
    _run(project, text, "-p", "xdist", "-n", "2").assert_outcomes(passed=6)


@pytest.mark.process
def test_nothing_is_imported_before_a_fixture_is_used() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import validation_gen.testing.plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["validation_gen", "validation_gen.testing", "validation_gen.testing.plugin"]


def test_a_missing_extra_has_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "starlette" else found(name))
    with pytest.raises(ModuleNotFoundError, match=r"needs starlette: pip install 'validation-gen\[testing\]'"):
        _ = validation_gen.testing.ApiServer


SUITE = """
import time

with open("kinds.json") as file:
    CRDS = json.load(file)
BEGAN = time.process_time()


@pytest.mark.kube(crds=CRDS)
@pytest.mark.parametrize("number", range({count}))
def test_fresh(kube_api, number):
    kube_api.client.create(kite())
    assert len(get(kube_api)["items"]) == 1


@pytest.mark.kube(crds=CRDS[:1])
@pytest.mark.parametrize("number", range({count}))
def test_session(kube_api_session, kube_namespace, number):
    kube_api_session.client.create(kite(namespace=kube_namespace))
    assert len(get(kube_api_session)["items"]) == 1


def test_time(kube_api):
    assert time.process_time() - BEGAN < {most}
"""


def test_many_servers_cost_little(project: pytest.Pytester) -> None:
    kinds = [definition(), *(definition(plural=f"owls{n}", kind=f"Owl{n}") for n in range(4))]
    (project.path / "kinds.json").write_text(json.dumps(kinds), encoding="utf-8")
    suite = f"{SUITE.format(count=10, most=10 * _MOST_SECONDS)}"
    _run(project, suite).assert_outcomes(passed=21)
