"""`validation-gen certs`, as people run it."""

from __future__ import annotations

import base64

import pytest
import yaml
from cryptography import x509

from tests.cli.conftest import Program

_HOOKS = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: fleet
webhooks:
  - name: validate.robots.example.com  # kept
    clientConfig:
      service:
        name: fleet
        namespace: system
"""
_FILES = "certificates/ca.crt, certificates/tls.crt, certificates/tls.key"
_NAMES = ("--service", "fleet", "--namespace", "system")


def _bundle(program: Program) -> bytes:
    hooks = yaml.safe_load((program.directory / "hooks.yaml").read_text(encoding="utf-8"))["webhooks"]
    return base64.b64decode(hooks[0]["clientConfig"]["caBundle"])


def test_from_a_first_certificate_to_the_next(program: Program) -> None:
    program.write({"hooks.yaml": _HOOKS})
    done = program("certs", *_NAMES, "--patch", "hooks.yaml")
    assert (done.code, done.err) == (0, "")
    first, second = done.out.splitlines()
    assert first.startswith(f"{_FILES}: for fleet.system.svc, until 20")
    assert second == "hooks.yaml: has the authority now"
    files = program.files("certificates")
    assert _bundle(program) == files["ca.crt"]
    assert "# kept" in (program.directory / "hooks.yaml").read_text(encoding="utf-8")

    done = program("certs", *_NAMES)  # what is there stays
    assert (done.code, done.out, program.files("certificates")) == (2, "", files)
    assert "error[VG903]: the file exists, so it is kept" in done.err
    assert "--renew" in done.err

    done = program("certs", *_NAMES, "--patch", "hooks.yaml")  # but may be named again
    assert (done.code, program.files("certificates")) == (0, files)
    assert done.out.splitlines()[1] == "hooks.yaml: has the authority already"

    assert program("certs", *_NAMES, "--renew", "--patch", "hooks.yaml").code == 0
    renewed = program.files("certificates")
    assert renewed["ca.crt"].endswith(files["ca.crt"])
    assert renewed["tls.crt"] != files["tls.crt"]
    assert _bundle(program) == renewed["ca.crt"]

    assert program("certs", *_NAMES, "--force").code == 0
    assert len(x509.load_pem_x509_certificates(program.files("certificates")["ca.crt"])) == 1


def test_the_manifest_of_a_secret(program: Program) -> None:
    done = program("certs", *_NAMES, "--secret", "-o", "deploy", "--dns", "fleet.example.com", "--days", "10")
    assert (done.code, done.err) == (0, "")
    secret = yaml.safe_load((program.directory / "deploy" / "secret.yaml").read_text(encoding="utf-8"))
    assert (secret["kind"], secret["type"]) == ("Secret", "kubernetes.io/tls")
    assert secret["metadata"] == {"name": "fleet-tls", "namespace": "system"}
    assert sorted(secret["data"]) == ["ca.crt", "tls.crt", "tls.key"]
    assert b"PRIVATE KEY" in base64.b64decode(secret["data"]["tls.key"])
    assert program("certs", *_NAMES, "--secret", "-o", "deploy", "--renew", "--quiet").out == ""


def test_names_come_from_the_table_of_the_webhook(program: Program) -> None:
    program.write({"validation-gen.toml": '[webhooks]\nname = "robots"\nnamespace = "depot"\n'})
    assert ": for robots.depot.svc, until " in program("certs").out


def test_a_certificate_of_somebody_else_is_kept(program: Program) -> None:
    files = dict.fromkeys(["certificates/ca.crt", "certificates/tls.crt", "certificates/tls.key"], "mine\n")
    program.write(files)
    for arguments in (["--renew"], [], ["--patch", "hooks.yaml"]):
        done = program("certs", *_NAMES, *arguments)
        assert (done.code, done.out) == (2, "")
        assert {name: content.decode() for name, content in program.files("certificates").items()} == {
            name.rpartition("/")[2]: text for name, text in files.items()
        }


def test_a_certificate_for_other_names_is_not_made_known(program: Program) -> None:
    program.write({"hooks.yaml": _HOOKS})
    assert program("certs", "--service", "other", "--namespace", "system").code == 0
    done = program("certs", *_NAMES, "--patch", "hooks.yaml")
    assert (done.code, done.out) == (2, "")
    assert "the certificate here is not for fleet.system.svc" in done.err
    assert program("certs", *_NAMES, "--renew", "--patch", "hooks.yaml").code == 0


def test_a_manifest_that_is_not_meant(program: Program) -> None:
    program.write({"hooks.yaml": _HOOKS, "others.yaml": "kind: ConfigMap\n"})
    done = program("certs", *_NAMES, "--patch", "hooks.yaml", "--patch", "others.yaml")
    assert done.code == 1
    assert "error[VG563]: nothing here asks the service fleet in system" in done.err
    assert (program.directory / "hooks.yaml").read_text(encoding="utf-8") == _HOOKS  # all of them, or none


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--service", "Fleet"], "--service: 'Fleet': a DNS-1035 label"),
        (["--namespace", "a.b"], "--namespace: 'a.b': must not contain dots"),
        (["--dns", "*"], "--dns: '*': a lowercase RFC 1123 subdomain"),
        (["--days", "0"], "--days"),
        (["--renew"], "there is no certificate to renew"),
        (["--renew", "--force"], "it is the opposite of --force"),
        (["--output-dir", ""], "--output-dir"),
    ],
)
def test_wrong_arguments(program: Program, arguments: list[str], said: str) -> None:
    done = program("certs", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not program.files()


def test_a_directory_that_is_a_file(program: Program) -> None:
    program.write({"certificates": "a file\n"})
    done = program("certs")
    assert done.code == 2
    assert "error[VG903]: " in done.err


def test_addresses(program: Program) -> None:
    assert program("certs", *_NAMES, "--dns", "127.0.0.1", "--dns", "::1", "--dns", "*.example.com").code == 0
    certificate = x509.load_pem_x509_certificate((program.directory / "certificates/tls.crt").read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert list(map(str, names.get_values_for_type(x509.IPAddress))) == ["127.0.0.1", "::1"]
    assert "*.example.com" in names.get_values_for_type(x509.DNSName)
    assert "127.0.0.1" not in names.get_values_for_type(x509.DNSName)
    assert program("certs", *_NAMES, "--force", "--dns", "1:2").code == 2
