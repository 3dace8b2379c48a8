"""One webhook, as people start it, for all tests that only ask it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import pytest
import trustme
import urllib3

from tests.commands.serve.serving import Process, project


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, authority: trustme.CA) -> Iterator[Process]:
    directory = tmp_path_factory.mktemp("webhook")
    project(directory)
    issued = authority.issue_cert("127.0.0.1")
    issued.private_key_pem.write_to_path(directory / "tls.key")
    for blob in issued.cert_chain_pems:
        blob.write_to_path(directory / "tls.crt", append=True)
    running = Process(directory, "apis", "--tls-cert", "tls.crt", "--tls-key", "tls.key")
    yield running
    assert running.end() == 130
    assert "Traceback" not in running.told


@pytest.fixture(scope="session")
def client(server: Process, authority: trustme.CA) -> Iterator[urllib3.HTTPSConnectionPool]:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    with urllib3.HTTPSConnectionPool("127.0.0.1", server.port, ssl_context=context, retries=False, timeout=30) as pool:
        yield pool
