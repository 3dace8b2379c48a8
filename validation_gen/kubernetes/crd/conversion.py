"""Checks conversions between versions: by a webhook, or by changing only `apiVersion`."""

from __future__ import annotations

from validation_gen.kubernetes.crd.definition import SPEC, Client, Conversion, Service
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.kubernetes.formats.gourl import GoUrlError, parse_url

_STRATEGIES = ("None", "Webhook")
_REVIEWS = ("v1", "v1beta1")
_FORM = "; desired format: https://host[/path]"


def check_conversion(conversion: Conversion, report: Report) -> None:
    place = SPEC.child("conversion")
    if not conversion.strategy:
        report.required("VG512", place.child("strategy"), help="write None or Webhook")
    elif conversion.strategy not in _STRATEGIES:
        report.not_supported("VG512", place.child("strategy"), conversion.strategy, _STRATEGIES)
    client = place.child("webhookClientConfig", "webhook", "clientConfig")
    reviews = place.child("conversionReviewVersions", "webhook", "conversionReviewVersions")
    if conversion.strategy == "Webhook":
        if conversion.client is None:
            help = "write webhook.clientConfig with the service that converts"
            report.required("VG512", client, "required when strategy is set to Webhook", help)
        else:
            check_client(conversion.client, client, report)
        _check_reviews(conversion.review_versions, reviews, report)
        return
    for given, where in ((conversion.client is not None, client), (bool(conversion.review_versions), reviews)):
        if given:
            detail = "should not be set when strategy is not set to Webhook"
            report.forbidden("VG512", where, detail, "drop it, or write strategy: Webhook")


def _check_reviews(versions: tuple[str, ...], place: SchemaPath, report: Report) -> None:
    help = "write [v1]"
    if not versions:
        report.required("VG512", place, help=help)
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            report.invalid("VG512", place.index(index), version, "duplicate version")
        else:
            report.invalid_each("VG512", place.index(index), version, dnsnames.label_1035(version))
    if not set(versions) & set(_REVIEWS):
        detail = f"must include at least one of {', '.join(_REVIEWS)}"
        report.invalid("VG512", place, list(versions), detail, help)


def check_client(client: Client, place: SchemaPath, report: Report, code: str = "VG512") -> None:
    """Checks the client configuration of a webhook, which is the same for conversions and admission."""
    if (client.url is None) == (client.service is None):
        help = "name the service that converts, or its URL"
        report.required(code, place, "exactly one of url or service is required", help)
    elif client.url is not None:
        _check_url(client.url, place.child("url"), report, code)
    elif client.service is not None:
        _check_service(client.service, place.child("service"), report, code)


def _check_url(text: str, place: SchemaPath, report: Report, code: str) -> None:
    try:
        url = parse_url(text)
    except GoUrlError as error:
        report.required(code, place, f"url must be a valid URL: {error}{_FORM}")
        return
    if url.scheme != "https":
        report.invalid(code, place, url.scheme, f"'https' is the only allowed URL scheme{_FORM}")
    if not url.host:
        report.invalid(code, place, url.host, f"host must be specified{_FORM}")
    if url.user is not None:
        report.invalid(code, place, url.user, "user information is not permitted in the URL")
    if url.fragment:
        report.invalid(code, place, url.fragment, "fragments are not permitted in the URL")
    if url.query:
        report.invalid(code, place, url.query, "query parameters are not permitted in the URL")


def _check_service(service: Service, place: SchemaPath, report: Report, code: str) -> None:
    """Checks the service. The server confuses name and namespace when one of them is missing."""
    if not service.namespace:
        report.required(code, SchemaPath(".name", "namespace", parent=place))
    if not service.name:
        report.required(code, SchemaPath(".namespace", "name", parent=place))
    if not 1 <= service.port <= 65535:
        detail = "port is not valid: must be between 1 and 65535, inclusive"
        report.invalid(code, place.child("port"), service.port, detail)
    _check_path(service.path or "", place.child("path"), report, code)


def _check_path(path: str, place: SchemaPath, report: Report, code: str) -> None:
    if path in ("", "/"):
        return
    if path == "//":
        report.invalid(code, place, path, "segment[0] may not be empty")
        return
    if not path.startswith("/"):
        report.invalid(code, place, path, "must start with a '/'")
    for index, segment in enumerate(path[1:].removesuffix("/").split("/")):
        if not segment:
            report.invalid(code, place, path, f"segment[{index}] may not be empty")
        else:
            messages = [f"segment[{index}]: {message}" for message in dnsnames.subdomain(segment)]
            report.invalid_each(code, place, path, messages)
