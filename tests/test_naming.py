import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation_gen.naming import attribute_name, go_name, json_name

NAMES = [
    ("name", "name", "Name"),
    ("api_version", "apiVersion", "APIVersion"),
    ("pod_ips", "podIPs", "PodIPs"),
    ("cluster_ip", "clusterIP", "ClusterIP"),
    ("ca_bundle", "caBundle", "CABundle"),
    ("uid", "uid", "UID"),
    ("ips", "ips", "IPs"),
    ("host_ipc", "hostIPC", "HostIPC"),
    ("http_get_url", "httpGetURL", "HTTPGetURL"),
    ("pod_ip_count", "podIPCount", "PodIPCount"),
    ("https_port", "httpsPort", "HTTPSPort"),
    ("from_", "from", "From"),
    ("node_port80", "nodePort80", "NodePort80"),
]


@pytest.mark.parametrize(("attribute", "json", "go"), NAMES)
def test_names(attribute: str, json: str, go: str) -> None:
    assert json_name(attribute) == json
    assert go_name(json) == go


@pytest.mark.parametrize(
    ("json", "attribute"),
    [(json, attribute) for attribute, json, _ in NAMES if not attribute.endswith("80")]
    + [("class", "class_"), ("x-y", "x_y"), ("$ref", "ref"), ("", "field_"), ("2nd", "field_2nd")],
)
def test_attributes(json: str, attribute: str) -> None:
    assert attribute_name(json) == attribute


@given(st.text())
def test_any_name(text: str) -> None:
    attribute = attribute_name(text)
    assert attribute.isidentifier()
    json_name(attribute)
    go_name(text)
