"""Certificates: one to try a webhook with on this machine, and those of a Service, signed by an authority of its own.

An authority signs one certificate. Its key is kept nowhere, so that nothing else can ever be signed by it.
"""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAYS = 30
#: What all subjects of ours have as their organization.
_OURS = "validation-gen"
#: Clocks differ: a certificate holds a little earlier than it is made.
_LEEWAY = datetime.timedelta(minutes=5)
#: How many characters a common name has at most (RFC 5280, appendix A.1).
_LONGEST_COMMON_NAME = 64


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key as PEM."""

    certificate: bytes
    key: bytes


def self_signed(host: str) -> Certificate:
    """A certificate for `localhost`, the loopback addresses, and a host's name or address. It is valid for 30 days."""
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
    return Certificate(_pem(built), _key_pem(key))


# --- of a Service -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Issued:
    """A certificate with its key, and the authorities that vouch for it, as PEM."""

    authorities: bytes
    certificate: bytes
    key: bytes


def issued(names: Sequence[str], days: int, now: datetime.datetime | None = None) -> Issued:
    """Makes a certificate for these DNS names and IP addresses, signed by an authority of its own.

    Both are valid for so many days.
    """
    now = now or datetime.datetime.now(datetime.timezone.utc)
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    serial = x509.random_serial_number()
    authority_name = _name(f"{_OURS} CA {serial:x}"[:_LONGEST_COMMON_NAME])
    known_by = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
    authority = (
        _builder(authority_name, authority_name, authority_key, now, days, serial)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(known_by, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    subject = _name(names[0] if len(names[0]) <= _LONGEST_COMMON_NAME else _OURS)
    certificate = (
        _builder(subject, authority_name, key, now, days, x509.random_serial_number())
        .add_extension(x509.SubjectAlternativeName(list(map(_general_name, names))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(known_by), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    return Issued(_pem(authority), _pem(certificate), _key_pem(key))


def renewed(old: Issued, names: Sequence[str], days: int) -> Issued:
    """A new certificate from a new authority, with the one beside it that vouches for the old certificate.

    Who trusts both can be asked by servers that have the old certificate and by those that have the new one.

    Raises:
        ValueError: what is there is no certificate, or none of ours.
    """
    (certificate,) = _read(old.certificate)[:1]
    authorities = _read(old.authorities)
    if not all(map(_is_ours, (certificate, *authorities))):
        raise ValueError("it was not made by `validation-gen certs`")
    kept = [each for each in authorities if _vouches(each, certificate)][:1]
    new = issued(list(dict.fromkeys([*names, *names_of(old.certificate)])), days)
    return Issued(new.authorities + b"".join(map(_pem, kept)), new.certificate, new.key)


def names_of(certificate: bytes) -> list[str]:
    """Returns the DNS names and IP addresses of a certificate.

    Raises:
        ValueError: it is none.
    """
    extensions = _read(certificate)[0].extensions
    try:
        names = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(name.value) for name in names if isinstance(name, x509.DNSName | x509.IPAddress)]


def ends(certificate: bytes) -> datetime.datetime:
    """When a certificate ends.

    Raises:
        ValueError: it is none.
    """
    return _read(certificate)[0].not_valid_after_utc


def _read(pem: bytes) -> list[x509.Certificate]:
    found = x509.load_pem_x509_certificates(pem)
    if not found:
        raise ValueError("there is no certificate in it")
    return found


def _is_ours(certificate: x509.Certificate) -> bool:
    organizations = certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    return [each.value for each in organizations] == [_OURS]


def _vouches(authority: x509.Certificate, certificate: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def is_address(name: str) -> bool:
    """Tells whether a name of a server is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _general_name(name: str) -> x509.GeneralName:
    return x509.IPAddress(ipaddress.ip_address(name)) if is_address(name) else x509.DNSName(name)


def _name(common: str) -> x509.Name:
    parts: Iterable[tuple[x509.ObjectIdentifier, str]] = (
        (NameOID.ORGANIZATION_NAME, _OURS),
        (NameOID.COMMON_NAME, common),
    )
    return x509.Name([x509.NameAttribute(id, text) for id, text in parts])


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime.datetime,
    days: int,
    serial: int,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now - _LEEWAY)
        .not_valid_after(now + datetime.timedelta(days=days))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, form, plain)
