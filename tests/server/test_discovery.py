"""Discovery, health and unknown paths of the API server."""

from __future__ import annotations

from tests.server.asking import Asking, in_server

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


@in_server()
async def test_unknown_paths_show_the_paths_that_there_are(asking: Asking) -> None:
    for path in ("/nothing", "/api/v2", "/openapi", "/healthz/nothing", "/api/v2/namespaces/default"):
        answer = await asking.ask("GET", path)
        assert (answer.status, answer.header("content-type")) == (404, ["application/json"]), path
        assert {"/apis", "/apis/apiextensions.k8s.io/v1", "/openapi/v3", "/readyz/ping"} <= set(answer.json["paths"])
    answer = await asking.ask("GET", "/")
    assert (answer.status, answer.json["paths"]) == (200, sorted(answer.json["paths"]))
    answer = await asking.ask("GET", "/apis/nothing.example.com")
    assert (answer.status, answer.body) == (404, b"404 page not found\n")


@in_server()
async def test_clients_may_accept_the_aggregated_form_alone(asking: Asking) -> None:
    for accepted in (AGGREGATED, f"{AGGREGATED};profile=nopeer", f"{AGGREGATED},application/json"):
        answer = await asking.ask("GET", "/apis", headers={"accept": accepted})
        assert (answer.status, answer.header("content-type")) == (200, [AGGREGATED]), accepted
        [group] = [each for each in answer.json["items"] if each["metadata"]["name"] == "apiextensions.k8s.io"]
        [found] = group["versions"][0]["resources"]
        assert found["responseKind"] == {"group": "", "version": "", "kind": "CustomResourceDefinition"}


@in_server()
async def test_definitions_are_listed_as_a_real_server_lists_them(asking: Asking) -> None:
    found = (await asking.ask("GET", "/apis/apiextensions.k8s.io/v1")).json["resources"][0]
    assert found["verbs"] == ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
    assert found["storageVersionHash"] == "jfWCUB31mvA="


@in_server()
async def test_the_version_is_read_only(asking: Asking) -> None:
    found = (await asking.ask("GET", "/version")).json
    assert (found["emulationMinor"], found["minCompatibilityMinor"]) == ("36", "35")
    answer = await asking.ask("POST", "/version", {})
    assert (answer.status, answer.json["reason"], answer.json["details"]) == (405, "MethodNotAllowed", {})
    for probe in ("healthz", "livez/ping", "readyz/etcd"):
        answer = await asking.ask("POST", f"/{probe}", {})
        assert (answer.status, answer.body) == (200, b"ok"), probe
