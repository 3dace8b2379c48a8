"""The webhook as the handwritten side of a comparison: it says what the tags say."""

from __future__ import annotations

from pathlib import Path

import pytest
import trustme

from tests.cli.conftest import Program
from tests.commands.serve.serving import Process

APIS = Path(__file__).parents[3] / "testdata" / "apis"


@pytest.mark.process
def test_the_webhook_does_not_differ_from_the_tags(tmp_path: Path) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1")
    authority.cert_pem.write_to_path(tmp_path / "ca.crt")
    issued.private_key_pem.write_to_path(tmp_path / "tls.key")
    for blob in issued.cert_chain_pems:
        blob.write_to_path(tmp_path / "tls.crt", append=True)
    running = Process(tmp_path, str(APIS), "--tls-cert", "tls.crt", "--tls-key", "tls.key", "--option", "RobotSwarming")
    try:
        done = Program(tmp_path)(
            *("compare", APIS, "--handwritten", f"webhook:https://127.0.0.1:{running.port}/validate"),
            *("--ca-file", "ca.crt", "--option", "RobotSwarming=true", "--option", "FlightPermits=false"),
            *("--fuzz", "400", "--format", "concise"),
        )
    finally:
        assert running.end() == 130
    assert done.code == 0, done.out + done.err
    assert "400 requests compared, 100 % agree" in done.out
