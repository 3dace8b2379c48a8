"""What people name: patterns and names that look like some, secrets in URLs, looks that fail, and what has changed."""

from __future__ import annotations

import importlib
import io
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.input_files import Read
from tests.tables import each
from tests.webserver import serving
from validation_gen.commands.compare import partitioned
from validation_gen.commands.compare.clustered import Corpus
from validation_gen.commands.compare.partitioned import SourceInspector
from validation_gen.commands.distributed import opening, partitions
from validation_gen.commands.distributed.opening import Listing, OpeningError, Stored, list_sources
from validation_gen.commands.distributed.partitions import Content, Partition, plan
from validation_gen.commands.distributed.reading import TruncationGuard, open_bytes
from validation_gen.commands.distributed.worker import PartitionError
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact

LINE = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["", "file://", "memory:/"])
def test_what_is_there_by_its_name_is_no_pattern(here: Path, scheme: str) -> None:
    if scheme:
        fsspec = pytest.importorskip("fsspec", reason="the extra [urls] is not installed")
    for name in ("a[1].jsonl", "a1.jsonl", "b?.jsonl", "bx.jsonl"):
        if scheme == "memory:/":
            fsspec.filesystem("memory").pipe_file(f"{here}/{name}", LINE.encode())
        else:
            Path(name).write_text(LINE)

    def found(name: str) -> list[str]:
        return [each.url.rpartition("/")[2] for each in list_sources(f"{scheme}{here}/{name}").files]

    assert found("a[1].jsonl") == ["a[1].jsonl"]
    assert found("b?.jsonl") == ["b?.jsonl"]
    assert found("a[0-9].jsonl") == ["a1.jsonl"]
    assert found("a?.jsonl") == ["a1.jsonl"]
    assert found("*.jsonl") == ["a1.jsonl", "a[1].jsonl", "b?.jsonl", "bx.jsonl"]
    with pytest.raises(OpeningError, match="there are no objects here"):
        found("c*.jsonl")
    with pytest.raises(OpeningError, match="cannot read"):
        found("c.jsonl")


@pytest.fixture
def web(here: Path) -> Iterator[str]:
    """A web server of files, whatever the query."""
    pytest.importorskip("aiohttp", reason="aiohttp, which fsspec needs for https://, is not installed")
    with serving(here) as url:
        yield url


def test_a_query_of_the_web_is_no_pattern_and_its_secrets_are_not_shown(here: Path, web: str) -> None:
    Path("a.jsonl").write_text(LINE + "{broken\n")
    read = Read(f"{web}/a.jsonl?X-Amz-Signature=abc[1]&part=*")
    assert len(read.objects) == 1
    assert read.places[0] == f"{web}/a.jsonl?X-Amz-Signature=…&part=*:1"
    assert read.total == Path("a.jsonl").stat().st_size
    (problem,) = Read(f"{web}/no.jsonl?sig=abc").problems
    assert problem[1] == f"{web}/no.jsonl?sig=…"
    assert problem[2].startswith("cannot read: ")
    diagnostics = Diagnostics()
    assert Corpus.from_arguments([f"{web}/no.jsonl?sig=abc"], diagnostics, 1000).partitions == []
    assert (str(diagnostics.items[0].span), diagnostics.items[0].message) == problem[1:]
    assert "abc" not in problem[2]


def test_urls_and_paths_are_the_same_on_one_machine(here: Path) -> None:
    pytest.importorskip("fsspec", reason="the extra [urls] is not installed")
    Path("in").mkdir()
    Path("in/a.jsonl").write_text(LINE * 3)
    Path("in/b.yaml").write_text(LINE)
    Path("in/x.txt").write_text("no object")
    url = f"file://{here}/in"
    of_paths, of_urls = Read("in", "in/a*"), Read(url, f"{url}/a*")
    assert of_urls.objects == of_paths.objects
    assert [each.replace(url, "in") for each in of_urls.places] == of_paths.places
    assert of_urls.total == of_paths.total == of_urls.items[-1].consumed
    assert Read(f"{url}/c").problems[0][2].startswith("cannot read: ")
    assert Read(f"{url}/c*").problems == [("VG902", f"{url}/c*", "there are no objects here")]


@pytest.mark.parametrize(
    ("argument", "module", "name"),
    [
        ("ftp://host:21/logs", "ftp.FTPFileSystem", "/logs/a.jsonl"),
        ("ftp://u:p@host/logs", "ftp.FTPFileSystem", "/logs/a.jsonl"),
        ("webhdfs://nn:9870/logs", "webhdfs.WebHDFS", "/logs/a.jsonl"),
        ("hdfs://nn:8020/logs", "arrow.HadoopFileSystem", "/logs/a.jsonl"),
        ("github://org:repo@main/logs", "github.GithubFileSystem", "logs/a.jsonl"),
    ],
)
@pytest.mark.parametrize("below", ["", "/a.jsonl", "/*.jsonl"])
def test_urls_keep_their_server(
    monkeypatch: pytest.MonkeyPatch, argument: str, module: str, name: str, below: str
) -> None:
    pytest.importorskip("fsspec", reason="the extra [urls] is not installed")
    of, _, kind = module.partition(".")
    real = getattr(importlib.import_module(f"fsspec.implementations.{of}"), kind)
    folder = name.rpartition("/")[0]

    class Store(real):  # type: ignore[misc, valid-type]
        """The names of the real one, without a server."""

        def __del__(self) -> None:
            pass

        def invalidate_cache(self, path: str | None = None) -> None:
            pass

        def info(self, path: str, **_: Any) -> dict[str, Any]:
            if path not in (name, folder):
                raise FileNotFoundError(path)
            return {"name": path, "size": 5, "type": "file" if path == name else "directory"}

        def find(self, path: str, **_: Any) -> dict[str, Any]:
            return {name: self.info(name)}

        glob = find

    made = Store.__new__(Store)
    monkeypatch.setattr(opening, "find_file_system", lambda url: (made, real._strip_protocol(url)))
    (found,) = list_sources(argument + below).files
    assert found.url == f"{argument}/a.jsonl"
    assert real._strip_protocol(found.url) == name


@pytest.mark.parametrize(
    ("argument", "names", "urls"),
    [
        (
            "abfs://box@account.dfs.core.windows.net/logs",
            ["box/logs/a.jsonl", "box/logs/b.jsonl"],
            [f"abfs://box@account.dfs.core.windows.net/logs/{each}.jsonl" for each in "ab"],
        ),
        ("s3://box/logs", ["box/logs/a.jsonl"], ["s3://box/logs/a.jsonl"]),
    ],
)
def test_urls_keep_their_account(
    monkeypatch: pytest.MonkeyPatch, argument: str, names: list[str], urls: list[str]
) -> None:
    class Store:
        """Names paths as adlfs and s3fs do: the container or bucket first."""

        protocol = ("abfs", "s3")

        def _strip_protocol(self, url: str) -> str:
            return re.sub(r"@[^/]*", "", url.partition("://")[2])

        def info(self, _: str) -> dict[str, Any]:
            return {"type": "directory"}

        def find(self, _: str, **__: Any) -> dict[str, Any]:
            return {each: {"type": "file", "size": 1} for each in names}

    monkeypatch.setattr(opening, "find_file_system", lambda url: (Store(), Store()._strip_protocol(url)))
    assert [each.url for each in list_sources(argument).files] == urls


@pytest.mark.parametrize("argument", ["zip://a.jsonl::file:///x.zip", "zip://*::/x.zip", "simplecache::s3://box/a"])
def test_urls_in_urls_are_refused(argument: str) -> None:
    with pytest.raises(OpeningError, match="a URL inside another one"):
        list_sources(argument)


@each(
    ("text", "told"),
    [
        ("s3://logs/a.jsonl", "s3://logs/a.jsonl"),
        ("https://u:p@host/a?b=c", "https://…@host/a?b=c"),
        ("https://token@host/a", "https://…@host/a"),
        ("abfs://container@account.dfs.core.windows.net/a", "abfs://container@account.dfs.core.windows.net/a"),
        ("ftp://u:p@host/a@b", "ftp://…@host/a@b"),
        (
            "https://h/a.gz?X-Amz-Credential=K%2F1&X-Amz-Date=1&X-Amz-Signature=ff&X-Amz-Security-Token=t",
            "https://h/a.gz?X-Amz-Credential=…&X-Amz-Date=1&X-Amz-Signature=…&X-Amz-Security-Token=…",
        ),
        ("https://h/a?AWSAccessKeyId=A&Signature=S&Expires=1", "https://h/a?AWSAccessKeyId=…&Signature=…&Expires=1"),
        ("https://h/a?sv=1&sig=x%3D", "https://h/a?sv=1&sig=…"),
        ("https://h/a?key=1&max-keys=2&api-key=3", "https://h/a?key=…&max-keys=2&api-key=…"),
        ("403, url='https://h/a?token=t': no", "403, url='https://h/a?token=…': no"),
        ("plain a=b", "plain a=b"),
        ("s3://KEY:a/b+c@bucket/key", "s3://…@bucket/key"),
        ("s3:/KEY:secret@bucket/key", "s3:/…@bucket/key"),
        ("https:/u:p@host/a", "https:/…@host/a"),
        ("https://u:p@w@host/a", "https://…@host/a"),
        ("https://u:it's@host/a", "https://…@host/a"),
        ("https://u:p@a/b,https://v:q@c/d", "https://…@a/b,https://…@c/d"),
        ("webhook:https://u:p@host", "webhook:https://…@host"),
        ("'tcp://u:p@host:8786' is no address", "'tcp://…@host:8786' is no address"),
        ("https://host:8080/a@b", "https://host:8080/a@b"),
        ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        ("C:/a:b@c", "C:/a:b@c"),
        ("ssh://git@host/a", "ssh://git@host/a"),
        ("nginx:1.27@sha256:0", "nginx:1.27@sha256:0"),
    ],
)
def test_secrets_are_not_shown(text: str, told: str) -> None:
    assert redact(text) == told


def test_partitions_show_no_secrets() -> None:
    url = "https://u:p@h/a.jsonl?sig=s"
    assert str(Partition(1, url, 5, 7, Content.LINES)) == "https://…@h/a.jsonl?sig=…[5:7]"


def _fail(stored: Stored, error: OpeningError) -> None:
    raise AssertionError(f"{stored}: {error}")


# --- looks ------------------------------------------------------------------------------------------------------------


def test_looks_are_made_by_several_at_once_and_stay_in_order() -> None:
    busy = most = 0
    lock = threading.Lock()

    def look(stored: Stored) -> Content:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.02 if stored.url.endswith("0") else 0.001)
        with lock:
            busy -= 1
        return Content.STREAM

    sources = [Stored(str(number)) for number in range(300)]
    taken = plan(iter([Listing("a", sources)]), look, tell=_fail)
    assert [each.url for _, each in taken] == [each.url for each in sources]
    assert 2 <= most <= partitions._AT_ONCE


def test_a_look_that_fails_is_made_again_and_then_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "PAUSES", (0.0, 0.0))
    failures = {"a": 2, "b": 3, "c": 0}

    def look(stored: Stored) -> Content:
        if failures[stored.url]:
            failures[stored.url] -= 1
            raise OpeningError("503")
        return Content.LINES

    told: list[tuple[str, str]] = []
    listing = Listing("x", [Stored(name, 5) for name in "abc"])
    taken = list(plan([listing], look, size=3, tell=lambda stored, error: told.append((stored.url, error.message))))
    assert [(each.number, each.url, each.begin) for _, each in taken] == [
        (1, "a", 0),
        (2, "a", 3),
        (3, "c", 0),
        (4, "c", 3),
    ]
    assert told == [("b", "cannot read: 503")]


def test_a_store_that_breaks_off_a_look_is_no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitioned, "open_source", lambda url, glance: io.BytesIO(LINE.encode()))
    with pytest.raises(OpeningError, match="it ends at byte 57, and had 99"):
        SourceInspector().inspect(Stored("s3://a/b", 99))


# --- changes ----------------------------------------------------------------------------------------------------------


def test_a_file_that_has_changed_is_told(here: Path) -> None:
    Path("a.jsonl").write_text(LINE * 10)
    ((_, partition),) = plan([list_sources("a.jsonl")], SourceInspector().inspect, tell=_fail)
    with open_bytes(partition) as stream:
        assert stream.read() == LINE.encode() * 10
    os.utime("a.jsonl", (1, 1))
    with (
        pytest.raises(PartitionError, match="it has changed since it was listed: its version was"),
        open_bytes(partition),
    ):
        pass
    Path("a.jsonl").write_text(LINE * 11)
    with pytest.raises(PartitionError, match="it had 570 bytes, and has 627"), open_bytes(partition):
        pass


def test_a_file_that_changes_while_it_is_read_is_told(here: Path) -> None:
    Path("a.jsonl").write_text(LINE * 10)
    ((_, partition),) = plan([list_sources("a.jsonl")], SourceInspector().inspect, tell=_fail)
    with pytest.raises(PartitionError, match="it has changed"), open_bytes(partition) as stream:  # noqa: PT012
        stream.read(10)
        Path("a.jsonl").write_text(LINE * 12)


def test_one_machine_goes_on_where_a_store_has_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.commands.distributed.reading.PAUSES", (0.0, 0.0))
    data = bytes(range(256)) * 10
    opens = 0

    def again() -> io.BytesIO:
        nonlocal opens
        opens += 1
        return io.BytesIO(data[: 700 * (opens + 1)])

    whole = TruncationGuard(io.BytesIO(data[:700]), len(data), again)
    assert whole.read() == data
    assert opens == 3
    lost = TruncationGuard(io.BytesIO(data[:700]), len(data), lambda: io.BytesIO(data[:700]))
    with pytest.raises(OSError, match="it ends at byte 700"):
        lost.read()


def test_a_version_is_the_same_with_quotes_and_without() -> None:
    assert opening._version({"ETag": '"a"'}) == opening._version({"etag": "a"}) == opening._version({"ETag": 'W/"a"'})
