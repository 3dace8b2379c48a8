"""Certificates to try a webhook with: what is in them, and for how long they hold."""

from __future__ import annotations

import datetime

import pytest
from cryptography import x509

from validation_gen.commands.serve.tls import self_signed


@pytest.mark.parametrize(
    ("host", "names", "addresses"),
    [
        ("127.0.0.1", ["localhost"], ["127.0.0.1", "::1"]),
        ("10.0.0.7", ["localhost"], ["10.0.0.7", "127.0.0.1", "::1"]),
        ("laptop.example.com", ["localhost", "laptop.example.com"], ["127.0.0.1", "::1"]),
    ],
)
def test_a_certificate_names_the_host(host: str, names: list[str], addresses: list[str]) -> None:
    (made,) = x509.load_pem_x509_certificates(self_signed(host).certificate)
    found = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert found.get_values_for_type(x509.DNSName) == names
    assert list(map(str, found.get_values_for_type(x509.IPAddress))) == addresses


def test_a_certificate_vouches_for_itself_for_a_month() -> None:
    (made,) = x509.load_pem_x509_certificates(self_signed("localhost").certificate)
    made.verify_directly_issued_by(made)
    assert made.not_valid_after_utc - made.not_valid_before_utc == datetime.timedelta(days=30, minutes=5)
