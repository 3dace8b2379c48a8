"""TLS of a server: its context, built from files and rebuilt when these change, and certificates to try it with."""

from __future__ import annotations

import datetime
import ipaddress
import os
import ssl
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class UnusableError(ValueError):
    """Files that cannot be used; the text names them and the reason."""


@dataclass(frozen=True, slots=True)
class Files:
    """PEM files: the certificate with its chain, its key, and the authorities of clients, if any."""

    certificate: str
    key: str
    client_ca: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files."""
        return tuple(filter(None, (self.certificate, self.key, self.client_ca)))

    def context(self) -> ssl.SSLContext:
        """Returns a context with TLS 1.2 or later.

        With authorities, clients may send a certificate; the app requires it.

        Raises:
            UnusableError: a file cannot be read or has the wrong content, or the key does not match.
        """
        found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        found.minimum_version = ssl.TLSVersion.TLSv1_2
        found.set_alpn_protocols(["http/1.1"])
        try:
            found.load_cert_chain(self.certificate, self.key, password="")  # otherwise OpenSSL prompts on the terminal
        except ssl.SSLError as problem:
            said = f"{self.certificate} and {self.key} are no certificate and its key, as PEM and without a password"
            raise UnusableError(f"{said}: {problem}") from None
        except OSError as problem:
            name = self.key if _is_readable(self.certificate) else self.certificate  # OpenSSL does not name the file
            raise UnusableError(f"{name} cannot be read: {problem.strerror or problem}") from None
        if self.client_ca:
            try:
                found.load_verify_locations(self.client_ca)
            except ssl.SSLError as problem:
                raise UnusableError(f"{self.client_ca} holds no certificate, as PEM: {problem}") from None
            except OSError as problem:
                raise UnusableError(f"{self.client_ca} cannot be read: {problem.strerror or problem}") from None
            found.verify_mode = ssl.CERT_OPTIONAL
        return found


def _is_readable(file: str) -> bool:
    return os.access(file, os.R_OK) and not Path(file).is_dir()


class Watched:
    """Files that are checked periodically."""

    def __init__(self, files: Files, told: Callable[[str], None]) -> None:
        self._files = files
        self._told = told
        self._known = self._last = self._state()

    def _state(self) -> object:
        try:
            found = [os.stat(file) for file in self._files.names]  # noqa: PTH116 - it follows links that are changed
        except OSError:
            return None
        return [(each.st_mtime_ns, each.st_size, each.st_ino) for each in found]

    def renewed(self) -> ssl.SSLContext | None:
        """Returns a new context if the files have changed, are no longer written, and are valid."""
        now, last = self._state(), self._last
        self._last = now
        if now != last or now == self._known or now is None:
            return None
        self._known = now
        try:
            found = self._files.context()
        except UnusableError as problem:
            self._told(f"the new certificate cannot be used, the old one stays: {problem}")
            return None
        self._told("the certificate was renewed")
        return found


_DAYS = 30
#: Clocks differ: a certificate holds a little earlier than it is made.
_LEEWAY = datetime.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key as PEM."""

    certificate: bytes
    key: bytes

    def context(self, client_ca: str = "") -> ssl.SSLContext:
        """Returns the context of a server, as `Files.context` does."""
        with tempfile.TemporaryDirectory(prefix="validation-gen-") as directory:  # only this user can read it
            files = Path(directory, "tls.crt"), Path(directory, "tls.key")
            for file, content in zip(files, (self.certificate, self.key), strict=True):
                file.write_bytes(content)
            return Files(str(files[0]), str(files[1]), client_ca).context()


def self_signed(host: str) -> Certificate:
    """Makes a certificate for `localhost`, the loopback addresses, and a host's name or address, valid for 30 days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "validation-gen")])
    names = [_general_name(each) for each in dict.fromkeys(("localhost", host, "127.0.0.1", "::1"))]
    now = datetime.datetime.now(datetime.timezone.utc)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _LEEWAY)
        .not_valid_after(now + datetime.timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    return Certificate(built.public_bytes(pem), key.private_bytes(pem, form, plain))


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
