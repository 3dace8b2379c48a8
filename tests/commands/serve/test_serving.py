"""The webhook as people start it, and as a server asks it: over TLS, with good and with bad requests."""

from __future__ import annotations

import json
import socket
import ssl
from pathlib import Path

import pytest
import trustme
import urllib3

from tests.cli.conftest import Program
from tests.commands.serve.serving import Process, project, review, thing
from tests.webhooks.test_reviews import REQUEST


def _ask(client: urllib3.HTTPSConnectionPool, body: bytes, **headers: str) -> tuple[int, str]:
    found = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    answer = client.request("POST", "/validate?timeout=10s", body=body, headers=found)
    return answer.status, answer.data.decode()


def test_verdicts(client: urllib3.HTTPSConnectionPool) -> None:
    for name, allowed in (("short", True), ("too long", False)):
        code, text = _ask(client, review(thing(name)))
        response = json.loads(text)["response"]
        assert (code, response["allowed"], response["uid"]) == (200, allowed, REQUEST["uid"])
    assert response["status"]["details"]["causes"][0]["field"] == "spec.name"
    old, new = ({**thing("a"), "spec": {"name": "a", "color": color}} for color in ("red", "blue"))
    response = json.loads(_ask(client, review(new, operation="UPDATE", oldObject=old))[1])["response"]
    assert "spec.color: Invalid value" in response["status"]["message"]


def test_kinds_without_validators_are_refused(client: urllib3.HTTPSConnectionPool) -> None:
    response = json.loads(_ask(client, review({**thing("a"), "kind": "Other"}))[1])["response"]
    assert (response["allowed"], response["status"]["code"]) == (False, 400)


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/healthz"])
def test_probes(client: urllib3.HTTPSConnectionPool, path: str) -> None:
    answer = client.request("GET", path)
    assert (answer.status, answer.data) == (200, b"ok")


def test_probes_tell_of_their_checks(client: urllib3.HTTPSConnectionPool) -> None:
    told = client.request("GET", "/readyz?verbose&exclude=ping&exclude=pong").data.decode()
    assert told == (
        "[+]ping excluded: ok\n[+]shutdown ok\n"
        'warn: some health checks cannot be excluded: no matches for "pong"\nreadyz check passed\n'
    )
    assert client.request("GET", "/livez?verbose").data == b"[+]ping ok\nlivez check passed\n"


def test_bad_requests_are_told_so(client: urllib3.HTTPSConnectionPool) -> None:
    good = review(thing("a"))
    assert _ask(client, b"{")[0] == 400
    assert _ask(client, b"[" * 200_000)[0] == 400
    assert _ask(client, good, Content_Type="text/plain")[0] == 415
    assert _ask(client, good, Content_Encoding="gzip")[0] == 415
    assert _ask(client, b" " * (3 << 20) + good)[0] == 413
    assert client.request("GET", "/validate").status == 405
    assert client.request("POST", "/mutate").status == 404
    assert _ask(client, review({**thing("a"), "spec": {"name": "\ud800"}}))[0] in (200, 400)
    assert _ask(client, good)[0] == 200


def test_no_plain_text_and_no_old_tls(server: Process) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 30) as plain:
        plain.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        assert b"200" not in plain.recv(100)
    context = ssl._create_unverified_context()
    assert ssl.TLSVersion.TLSv1_2 <= context.maximum_version or context.maximum_version < 0
    with socket.create_connection(("127.0.0.1", server.port), 30) as plain, context.wrap_socket(plain) as found:
        assert found.version() in ("TLSv1.2", "TLSv1.3")


@pytest.mark.process
def test_a_certificate_of_its_own(tmp_path: Path) -> None:
    project(tmp_path)
    running = Process(tmp_path, "apis", "--self-signed")
    try:
        pem = ssl.get_server_certificate(("127.0.0.1", running.port))
        context = ssl.create_default_context(cadata=pem)
        with urllib3.HTTPSConnectionPool("127.0.0.1", running.port, ssl_context=context, retries=False) as pool:
            assert pool.request("GET", "/readyz").data == b"ok"
    finally:
        assert running.end() == 130
    assert running.told.startswith("1 kind: Thing\n")


def _issue(authority: trustme.CA, directory: Path, name: str, certificate: bytes = b"") -> bytes:
    """Puts a new certificate in the place of the old one, as a cluster does it. Gives it as clients see it."""
    issued = authority.issue_cert("127.0.0.1")
    below = directory / name
    below.mkdir()
    (below / "tls.key").write_bytes(issued.private_key_pem.bytes())
    (below / "tls.crt").write_bytes(certificate or b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    (directory / "next").symlink_to(name)
    (directory / "next").rename(directory / "tls")
    return ssl.PEM_cert_to_DER_cert(issued.cert_chain_pems[0].bytes().decode())


@pytest.mark.process
def test_certificates_are_renewed(tmp_path: Path, authority: trustme.CA) -> None:
    project(tmp_path)
    first = _issue(authority, tmp_path, "1")
    running = Process(tmp_path, "apis", "--tls-cert", "tls/tls.crt", "--tls-key", "tls/tls.key")
    context = ssl.create_default_context()
    authority.configure_trust(context)

    def seen() -> bytes | None:
        with (
            socket.create_connection(("127.0.0.1", running.port), 30) as plain,
            context.wrap_socket(plain, server_hostname="127.0.0.1") as found,
        ):
            return found.getpeercert(binary_form=True)

    try:
        assert seen() == first
        with urllib3.HTTPSConnectionPool("127.0.0.1", running.port, ssl_context=context, retries=False) as pool:
            assert pool.request("GET", "/livez").status == 200
            second = _issue(authority, tmp_path, "2")
            assert running.line() == "the certificate was renewed\n"
            assert pool.request("GET", "/livez").status == 200  # by the connection that there was
            assert pool.num_connections == 1
        assert seen() == second
        _issue(authority, tmp_path, "3", b"nothing")
        assert running.line().startswith("the new certificate cannot be used, the old one stays: ")
        assert seen() == second
    finally:
        assert running.end() == 130


@pytest.mark.process
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["apis"], "name both --tls-cert and --tls-key, or else --self-signed"),
        (["apis", "--tls-cert", "a"], "name both --tls-cert and --tls-key"),
        (["apis", "--tls-cert", "a", "--tls-key", "b", "--self-signed"], "or else --self-signed"),
        (["apis", "--tls-cert", "none", "--tls-key", "none"], "none cannot be read: No such file"),
        (["apis", "--self-signed", "--client-ca", "none"], "none cannot be read: No such file"),
        (["apis", "--self-signed", "--client-ca", "apis/things/v1/doc.go"], "doc.go holds no certificate, as PEM"),
        (["apis", "--self-signed", "--watch", "--workers", "2"], "it is for development, with one worker"),
        (["apis", "--self-signed", "--host", "192.0.2.1"], "nothing can listen at 192.0.2.1:9443: Cannot assign"),
        (["nowhere", "--self-signed"], "nowhere"),
    ],
)
def test_what_cannot_begin(tmp_path: Path, args: list[str], said: str) -> None:
    project(tmp_path)
    done = Program(tmp_path)("webhook", "serve", *args)
    assert done.code == 2
    assert said in " ".join(done.err.replace("│", " ").split())


@pytest.mark.process
def test_types_are_read_again(tmp_path: Path) -> None:
    """With what is wrong, the old ones stay; and connections that there are see the new ones."""
    project(tmp_path)
    file = tmp_path / "apis/things/v1/types.go"
    whole = file.read_text(encoding="utf-8")
    running = Process(tmp_path, "apis", "--self-signed", "--watch")
    context = ssl.create_default_context(cadata=ssl.get_server_certificate(("127.0.0.1", running.port)))
    try:
        with urllib3.HTTPSConnectionPool("127.0.0.1", running.port, ssl_context=context, retries=False) as pool:
            assert '"allowed":true' in _ask(pool, review(thing("four")))[1]
            file.write_text(whole.replace("maxLength=5", "maxLength=3"), encoding="utf-8")
            running.lines_until("the types were read again")
            assert "may not be more than 3 characters" in _ask(pool, review(thing("four")))[1]
            file.write_text(whole.replace("maxLength=5", "maxLength=none"), encoding="utf-8")
            assert "types.go:" in running.lines_until("error VG")
            running.lines_until("the types of before stay")
            assert "may not be more than 3 characters" in _ask(pool, review(thing("four")))[1]
            file.write_text(whole, encoding="utf-8")
            running.lines_until("the types were read again")
            assert '"allowed":true' in _ask(pool, review(thing("four")))[1]
            assert pool.num_connections == 1
    finally:
        assert running.end() == 130


def test_metrics(client: urllib3.HTTPSConnectionPool) -> None:
    _ask(client, review(thing("too long")))
    found = client.request("GET", "/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=")
    text = found.data.decode()
    assert 'validation_gen_webhook_verdicts_total{kind="Thing",path="/validate",verdict="refused"}' in text
    assert 'validation_gen_webhook_refusals_total{kind="Thing",rule="maxLength"}' in text
    found = client.request("GET", "/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert found.data.endswith(b"# EOF\n")
