from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.types.naming import attribute_name, go_name, json_name, pluralize

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


@each(("attribute", "json", "go"), NAMES)
def test_names(attribute: str, json: str, go: str) -> None:
    assert json_name(attribute) == json
    assert go_name(json) == go


@each(
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


# Answers of github.com/gobuffalo/flect 1.0.3, which controller-gen 0.21 asks.
@each(
    ("kind", "plural"),
    [
        ("Gateway", "gateways"),
        ("Policy", "policies"),
        ("NodeClass", "nodeclasses"),
        ("IPAddress", "ipaddresses"),
        ("Redis", "redis"),
        ("Kubernetes", "kubernetes"),
        ("WithTriggers", "withtriggers"),
        ("Credentials", "credentials"),
        ("Prometheus", "prometheuses"),
        ("Elasticsearch", "elasticsearches"),
        ("Index", "indices"),
        ("SearchIndex", "searchindices"),
        ("VMIndex", "vmindexes"),
        ("APIIndex", "apiindices"),
        ("DNS", "dnses"),
        ("DNSRecord", "dnsrecords"),
        ("UserId", "userids"),
        ("ID", "ids"),
        ("Person", "people"),
        ("People", "people"),
        ("Medium", "media"),
        ("Base", "bases"),
        ("Axis", "axes"),
        ("Taxis", "taxis"),
        ("Hero", "heroes"),
        ("Quiz", "quizzes"),
        ("Metadata", "metadata"),
        ("x", "xes"),
    ],
)
def test_plurals_are_those_of_controller_gen(kind: str, plural: str) -> None:
    assert pluralize(kind) == plural
