"""A pytest plugin: an API server as a fixture.

pytest imports this in every project where we are installed, so it imports nothing of ours until a fixture is used.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from validation_gen.testing import find_missing

if TYPE_CHECKING:
    from validation_gen.apiserver.clock import Clock
    from validation_gen.testing.server import ApiServer

_MARKER = "kube(crds, objects, gates, webhooks): what the API server of `kube_api` begins with"
_NAMES = ("crds", "objects", "webhooks", "gates")
#: Modules of clients that read `KUBECONFIG` when they are imported.
_READ_ONCE = ("kubernetes.config.kube_config", "kubernetes_asyncio.config.kube_config")
_SESSION, _OWN = pytest.StashKey["ApiServer"](), pytest.StashKey["ApiServer"]()
_TITLE = "faults of the API server"


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    config.addinivalue_line("markers", _MARKER)


@contextlib.contextmanager
def _plain_failures() -> Iterator[None]:
    """Fails the test with the text of an error alone: the author of the test needs no traceback of the server."""
    from validation_gen.testing.client import RequestError  # noqa: PLC0415 - late, see above

    try:
        yield
    except (ValueError, RequestError, LookupError, TypeError) as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None  # a chain would show the text twice


@contextlib.contextmanager
def _serving(options: Mapping[str, Any], base: Path) -> Iterator[ApiServer]:
    missing = find_missing()
    if missing:
        pytest.fail(missing, pytrace=False)
    from validation_gen.testing.server import ApiServer  # noqa: PLC0415 - late, see above

    server = ApiServer(**options, base=base)
    with _plain_failures():
        server.start()
    try:
        yield server
    finally:
        server.close()


def _read_markers(request: pytest.FixtureRequest, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options of a test from `kube_options` and from its markers. Inner markers override outer ones."""
    found: dict[str, Any] = {}
    marks = list(request.node.iter_markers("kube"))
    if any(mark.args for mark in marks):
        pytest.fail(f"kube takes keywords alone: {', '.join(_NAMES)}", pytrace=False)
    _check_names("kube_options", options, (*_NAMES, "tls"))
    for each in (options, *(mark.kwargs for mark in reversed(marks))):
        if each is not options:
            _check_names("kube", each, _NAMES)
        for name, value in each.items():
            if name in ("gates", "tls"):
                found[name] = value
            else:
                found[name] = [*found.get(name, ()), *(value if isinstance(value, (list, tuple)) else [value])]
    return found


def _check_names(source: str, given: Mapping[str, Any], names: tuple[str, ...]) -> None:
    for name in given:
        if name not in names:
            from validation_gen.runtime.words import nearest  # noqa: PLC0415 - late, see above

            close = "".join(f" (did you mean {each}?)" for each in nearest(name, names))
            pytest.fail(f"{source} has no argument {name}{close}: write one of {', '.join(names)}", pytrace=False)


@pytest.fixture(scope="session")
def kube_options() -> dict[str, Any]:
    """Arguments of `ApiServer` for all servers of these tests. Override it in a `conftest.py`."""
    return {}


@pytest.fixture
def kube_api(request: pytest.FixtureRequest, kube_options: dict[str, Any]) -> Iterator[ApiServer]:
    """A fresh API server, with the definitions and objects that the markers `kube` name."""
    with _serving(_read_markers(request, kube_options), request.config.rootpath) as server:
        request.node.stash[_OWN] = server
        yield server


@pytest.fixture(scope="session")
def kube_api_session(request: pytest.FixtureRequest, kube_options: dict[str, Any]) -> Iterator[ApiServer]:
    """One API server for all tests of a process, with the arguments of `kube_options`."""
    with _serving(_read_markers(request, kube_options), request.config.rootpath) as server:
        request.config.stash[_SESSION] = server
        yield server
        del request.config.stash[_SESSION]


def _find_server(request: pytest.FixtureRequest) -> ApiServer:
    """Returns the server of a test: a fresh one, or the server of the session if the test uses only that."""
    names = set(request.fixturenames)
    shares = "kube_api" not in names and names & {"kube_api_session", "kube_namespace"}
    server: ApiServer = request.getfixturevalue("kube_api_session" if shares else "kube_api")
    return server


@pytest.fixture
def kube_namespace(request: pytest.FixtureRequest, kube_api_session: ApiServer) -> Iterator[str]:
    """A namespace of one test in the server of the session, which gets the `crds` and `objects` of the markers, too."""
    options = _read_markers(request, {})
    if options.keys() - {"crds", "objects"}:
        pytest.fail("webhooks and gates of one server for all tests belong into kube_options", pytrace=False)
    name = kube_api_session.make_namespace()
    with _plain_failures():
        kube_api_session.add(**options, namespace=name)
    yield name
    kube_api_session.delete_namespace(name)


@pytest.fixture
def kubeconfig(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kubeconfig of the server; `KUBECONFIG` names it during the test."""
    path = _find_server(request).kubeconfig
    monkeypatch.setenv("KUBECONFIG", str(path))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)  # clients would rather use that
    for name in _READ_ONCE:
        if name in sys.modules:
            monkeypatch.setattr(sys.modules[name], "KUBE_CONFIG_DEFAULT_LOCATION", str(path), raising=False)
    return path


@pytest.fixture
def kube_clock(request: pytest.FixtureRequest) -> Iterator[Clock]:
    """The time of the server: `freeze`, `tick`, `resume`. It is reset after the test."""
    clock = _find_server(request).clock
    yield clock
    clock.reset()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the injected faults to the report of a failed test."""
    report = yield
    if report.failed:
        for server in _servers(item):
            if text := server.faults.report():
                report.sections.append((_TITLE, text))
    return report


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Removes the faults of a test from the server of the session."""
    server = item.config.stash.get(_SESSION, None)
    if server is not None:
        server.faults.clear()


def _servers(item: pytest.Item) -> Iterator[ApiServer]:
    found = item.stash.get(_OWN, None), item.config.stash.get(_SESSION, None)
    yield from (server for server in found if server is not None)
