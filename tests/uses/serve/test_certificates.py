"""Certificates of a Service: what is in them, that a client believes them, and that nobody is cut off by a new one."""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from validation_gen.uses.serve import certificatefiles as files
from validation_gen.uses.serve.certificates import Issued, ends, issued, names_of, renewed, self_signed

_HOST = "webhook.system.svc"
_NOW = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)


def _certificates(pem: bytes) -> list[x509.Certificate]:
    return x509.load_pem_x509_certificates(pem)


def _believes(authorities: bytes, certificate: bytes, host: str = _HOST) -> bool:
    verifier = PolicyBuilder().store(Store(_certificates(authorities))).build_server_verifier(x509.DNSName(host))
    try:
        verifier.verify(_certificates(certificate)[0], [])
    except VerificationError:
        return False
    return True


def test_what_they_say() -> None:
    made = issued([_HOST, "other.example.com"], 30, _NOW)
    (authority,), (certificate,) = _certificates(made.authorities), _certificates(made.certificate)
    known, own = authority.extensions, certificate.extensions
    assert known.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(ca=True, path_length=0)
    assert own.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(ca=False, path_length=None)
    signs, serves = (each.get_extension_for_class(x509.KeyUsage).value for each in (known, own))
    assert (signs.key_cert_sign, signs.digital_signature) == (True, False)
    assert (serves.key_cert_sign, serves.digital_signature) == (False, True)
    assert list(own.get_extension_for_class(x509.ExtendedKeyUsage).value) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert names_of(made.certificate) == [_HOST, "other.example.com"]
    for each in (authority, certificate):
        assert each.not_valid_before_utc == _NOW - datetime.timedelta(minutes=5)
        assert each.not_valid_after_utc == _NOW + datetime.timedelta(days=30)
    assert ends(made.certificate) == _NOW + datetime.timedelta(days=30)
    certificate.verify_directly_issued_by(authority)
    assert authority.serial_number != certificate.serial_number


def test_a_client_believes_them_by_their_names() -> None:
    made, other = issued([_HOST, "*.example.com"], 30), issued([_HOST], 30)
    assert _believes(made.authorities, made.certificate)
    assert _believes(made.authorities, made.certificate, "a.example.com")
    assert not _believes(made.authorities, made.certificate, "other.system.svc")
    assert not _believes(other.authorities, made.certificate)
    old = issued([_HOST], 30, _NOW - datetime.timedelta(days=3650))
    assert not _believes(old.authorities, old.certificate)


def test_a_name_that_is_longer_than_a_common_name_can_be() -> None:
    host = f"{'a' * 60}.{'b' * 60}.svc"
    made = issued([host], 30)
    assert _believes(made.authorities, made.certificate, host)


@contextmanager
def _loaded(made: Issued, directory: Path) -> Iterator[ssl.SSLContext]:
    files.write(str(directory), made)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / files.CERTIFICATE, directory / files.KEY)
    yield context


def _shakes_hands(server: ssl.SSLContext, authorities: bytes) -> bool:
    """A handshake in memory."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(cadata=authorities.decode())
    sides = [ssl.MemoryBIO() for _ in range(4)]
    asking = client.wrap_bio(sides[0], sides[1], server_hostname=_HOST)
    answering = server.wrap_bio(sides[2], sides[3], server_side=True)
    waiting = [asking, answering]
    for _ in range(10):
        for side in list(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLCertVerificationError:
                return False
        sides[2].write(sides[1].read())
        sides[0].write(sides[3].read())
        if not waiting:
            return True
    raise AssertionError("no handshake came to its end")


def test_nobody_is_cut_off_while_they_change(tmp_path: Path) -> None:
    """Whoever has the new authorities can ask servers with either certificate."""
    first = issued([_HOST], 30)
    second = renewed(first, [_HOST], 30)
    third = renewed(second, [_HOST], 30)
    with _loaded(first, tmp_path / "a") as a, _loaded(second, tmp_path / "b") as b, _loaded(third, tmp_path / "c") as c:
        assert _shakes_hands(a, first.authorities)
        assert _shakes_hands(a, second.authorities)
        assert _shakes_hands(b, second.authorities)
        assert not _shakes_hands(b, first.authorities)  # which is why the authorities are made known first
        assert _shakes_hands(b, third.authorities)
        assert _shakes_hands(c, third.authorities)
        assert not _shakes_hands(a, third.authorities)
    assert [len(_certificates(each.authorities)) for each in (first, second, third)] == [1, 2, 2]


def test_old_names_stay() -> None:
    second = renewed(issued([_HOST, "a.example.com"], 30), [_HOST, "b.example.com"], 30)
    assert names_of(second.certificate) == [_HOST, "b.example.com", "a.example.com"]


def test_what_is_not_ours_is_not_renewed() -> None:
    made = self_signed("localhost")
    for other in (
        Issued(made.certificate, made.certificate, made.key),
        Issued(b"", b"", b""),
        Issued(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", b"x", b""),
    ):
        with pytest.raises(ValueError, match=r"\S"):
            renewed(other, [_HOST], 30)


def test_keys_are_for_their_owner(tmp_path: Path) -> None:
    made = issued([_HOST], 30)
    directory = tmp_path / "new"
    assert files.write(str(directory), made) == ["ca.crt", "tls.crt", "tls.key"]
    assert files.write(str(directory), made, ("webhook-tls", "system")) == ["secret.yaml"]
    for name in ("tls.key", "secret.yaml"):
        (directory / name).chmod(0o644)
    files.write(str(directory), made)
    files.write(str(directory), made, ("webhook-tls", "system"))
    assert [(directory / name).stat().st_mode & 0o777 for name in ("tls.key", "secret.yaml")] == [0o600, 0o600]
    assert directory.stat().st_mode & 0o777 == 0o700


def test_a_secret_is_read_as_files_are(tmp_path: Path) -> None:
    made = issued([_HOST], 30)
    files.write(str(tmp_path), made)
    files.write(str(tmp_path), made, ("webhook-tls", "system"))
    assert files.read(str(tmp_path), secret=False) == files.read(str(tmp_path), secret=True) == made
    assert files.found_in(str(tmp_path), secret=True) == ["secret.yaml"]


@pytest.mark.parametrize(
    "text", ["", "a", "[]", "data: {}", "data: {ca.crt: x}", "a: b\n---\nc: d\n", "data: [", "\x00"]
)
def test_another_file_is_no_secret(tmp_path: Path, text: str) -> None:
    (tmp_path / "secret.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"secret\.yaml"):
        files.read(str(tmp_path), secret=True)


def test_addresses_are_no_names() -> None:
    made = issued([_HOST, "127.0.0.1", "::1"], 30)
    (certificate,) = _certificates(made.certificate)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == [_HOST]
    assert list(map(str, names.get_values_for_type(x509.IPAddress))) == ["127.0.0.1", "::1"]
    assert names_of(renewed(made, [_HOST], 30).certificate) == [_HOST, "127.0.0.1", "::1"]
