"""Built-in kinds of the API server: namespaces and their life cycle, configmaps."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from tests.server.asking import Answer, Asking, in_server

NAMESPACES, DEFINITIONS = "/api/v1/namespaces", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
KIND = definition(root({"type": "object", "properties": {"model": {"type": "string", "maxLength": 5}}}))
MERGE = {"content-type": "application/merge-patch+json"}
APPLY = {"content-type": "application/apply-patch+yaml"}


async def create(asking: Asking, path: str, name: str, **rest: Any) -> Answer:
    return await asking.ask("POST", path, {"metadata": {"name": name, **rest.pop("metadata", {})}, **rest})


async def delete_namespace(asking: Asking, name: str) -> dict[str, Any]:
    answer = await asking.ask("DELETE", f"{NAMESPACES}/{name}")
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json
    return found


def refusal(answer: Answer) -> tuple[int, str, str]:
    return answer.status, answer.json.get("reason", ""), answer.json["message"]


# --- namespaces -------------------------------------------------------------------------------------------------------


@in_server()
async def test_each_server_has_namespaces(asking: Asking) -> None:
    found = (await asking.ask("GET", NAMESPACES)).json
    names = ["default", "kube-node-lease", "kube-public", "kube-system"]
    assert [each["metadata"]["name"] for each in found["items"]] == names
    assert "kind" not in found["items"][0]
    default = (await asking.ask("GET", f"{NAMESPACES}/default")).json
    assert default["metadata"]["labels"] == {"kubernetes.io/metadata.name": "default"}
    assert (default["spec"], default["status"]) == ({"finalizers": ["kubernetes"]}, {"phase": "Active"})
    assert "generation" not in default["metadata"]
    for name in ("default", "kube-system", "kube-public"):
        answer = await asking.ask("DELETE", f"{NAMESPACES}/{name}")
        text = f'namespaces "{name}" is forbidden: this namespace may not be deleted'
        assert refusal(answer) == (403, "Forbidden", text)


@in_server()
async def test_an_object_creates_its_namespace(asking: Asking) -> None:
    assert (await create(asking, f"{NAMESPACES}/lab/configmaps", "a", data={"k": 1})).status == 400
    assert (await create(asking, f"{NAMESPACES}/lab/configmaps", "A")).status == 422
    dry = await asking.ask("POST", f"{NAMESPACES}/lab/configmaps?dryRun=All", {"metadata": {"name": "a"}})
    assert dry.status == 201
    assert (await asking.ask("GET", f"{NAMESPACES}/lab")).status == 404
    made = (await create(asking, f"{NAMESPACES}/lab/configmaps", "a")).json
    space = (await asking.ask("GET", f"{NAMESPACES}/lab")).json
    assert int(space["metadata"]["resourceVersion"]) < int(made["metadata"]["resourceVersion"])
    answer = await create(asking, f"{NAMESPACES}/No_Name/configmaps", "a")
    assert answer.status == 422
    assert answer.json["details"]["causes"][0]["field"] == "metadata.namespace"


@in_server(strict_namespaces=True)
async def test_a_strict_server_wants_namespaces_first(asking: Asking) -> None:
    answer = await create(asking, f"{NAMESPACES}/lab/configmaps", "A")
    assert refusal(answer) == (404, "NotFound", 'namespaces "lab" not found')
    assert answer.json["details"] == {"name": "lab", "kind": "namespaces"}
    assert (await create(asking, NAMESPACES, "lab")).status == 201
    assert (await create(asking, f"{NAMESPACES}/lab/configmaps", "a")).status == 201


@in_server()
async def test_a_namespace_is_deleted_with_all_objects_in_it(asking: Asking) -> None:
    assert (await asking.ask("POST", DEFINITIONS, KIND)).status == 201
    await asking.settle()
    names, group = KIND["spec"]["names"], KIND["spec"]["group"]
    version = KIND["spec"]["versions"][0]["name"]
    path = f"/apis/{group}/{version}/namespaces/lab/{names['plural']}"
    robot = {"apiVersion": f"{group}/{version}", "kind": names["kind"]}
    robot["metadata"] = {"name": "talos", "finalizers": ["example.com/wait"]}
    assert (await asking.ask("POST", path, robot)).status == 201
    assert (await create(asking, f"{NAMESPACES}/lab/configmaps", "a")).status == 201

    found = await delete_namespace(asking, "lab")
    assert (found["kind"], found["status"]["phase"]) == ("Namespace", "Terminating")
    answer = await create(asking, f"{NAMESPACES}/lab/configmaps", "b")
    text = 'configmaps "b" is forbidden: unable to create new content in namespace lab because it is being terminated'
    assert refusal(answer) == (403, "Forbidden", text)
    assert answer.json["details"]["causes"] == [
        {
            "reason": "NamespaceTerminating",
            "message": "namespace lab is being terminated",
            "field": "metadata.namespace",
        }
    ]
    await asking.settle()
    assert (await asking.ask("GET", f"{NAMESPACES}/lab/configmaps")).json["items"] == []
    found = await delete_namespace(asking, "lab")
    conditions = {each["type"]: each for each in found["status"]["conditions"]}
    remaining, waiting = conditions["NamespaceContentRemaining"], conditions["NamespaceFinalizersRemaining"]
    resource = f"{names['plural']}.{group}"
    assert (remaining["status"], remaining["reason"]) == ("True", "SomeResourcesRemain")
    assert remaining["message"] == f"Some resources are remaining: {resource} has 1 resource instances"
    assert (waiting["status"], waiting["reason"]) == ("True", "SomeFinalizersRemain")
    assert waiting["message"].endswith("has finalizers remaining: example.com/wait in 1 resource instances")
    assert conditions["NamespaceDeletionContentFailure"]["status"] == "False"

    assert (await asking.ask("PATCH", f"{path}/talos", {"metadata": {"finalizers": None}}, MERGE)).status == 200
    for _ in range(50):
        await asyncio.sleep(0.02)
        if (await asking.ask("GET", f"{NAMESPACES}/lab")).status == 404:
            return
    raise AssertionError("the namespace is still there")


@in_server()
async def test_finalizers_of_a_namespace_change_by_a_subresource(asking: Asking) -> None:
    body = {
        "metadata": {"name": "lab"},
        "spec": {"finalizers": ["example.com/a"]},
        "status": {"phase": "Terminating"},
    }
    found = (await asking.ask("POST", NAMESPACES, body)).json
    assert found["spec"] == {"finalizers": ["example.com/a", "kubernetes"]}
    assert found["status"] == {"phase": "Active"}
    found["spec"] = {}
    answer = await asking.ask("PUT", f"{NAMESPACES}/lab", found)
    assert answer.json["spec"] == {"finalizers": ["example.com/a", "kubernetes"]}
    found["spec"] = {"finalizers": ["wrong"]}
    answer = await asking.ask("PUT", f"{NAMESPACES}/lab/finalize", found)
    detail = "name is neither a standard finalizer name nor is it fully qualified"
    assert answer.json["message"].endswith(f'spec.finalizers[0]: Invalid value: "wrong": {detail}')
    await delete_namespace(asking, "lab")
    await asking.settle()
    live = (await asking.ask("GET", f"{NAMESPACES}/lab")).json
    assert live["spec"] == {"finalizers": ["example.com/a"]}
    live["spec"] = {}
    assert (await asking.ask("PUT", f"{NAMESPACES}/lab/finalize", live)).status == 200
    assert (await asking.ask("GET", f"{NAMESPACES}/lab")).status == 404
    assert (await asking.ask("GET", f"{NAMESPACES}/default/finalize")).status == 405


# --- configmaps -------------------------------------------------------------------------------------------------------


@in_server()
async def test_configmaps_have_the_rules_of_their_type(asking: Asking) -> None:
    path = f"{NAMESPACES}/default/configmaps"
    body = {"data": {"a b": "x", "..": "x"}, "binaryData": {"..": "AA=="}}
    answer = await create(asking, path, "a", **body)
    assert answer.status == 422
    causes = {(each["field"], each["message"].partition(" (")[0]) for each in answer.json["details"]["causes"]}
    key = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
    assert causes == {
        ("data[a b]", f'Invalid value: "a b": {key}'),
        ("data[..]", "Invalid value: \"..\": must not be '..'"),
        ("data[..]", 'Invalid value: "..": duplicate of key present in binaryData'),
        ("binaryData[..]", "Invalid value: \"..\": must not be '..'"),
    }
    answer = await create(asking, path, "a", data={"k": "x" * (1024 * 1024 + 1)})
    assert "Too long: may not be more than 1048576 bytes" in answer.json["message"]
    made = (await create(asking, path, "a", data={"k": "x"}, immutable=True)).json
    assert "generation" not in made["metadata"]
    answer = await asking.ask("PATCH", f"{path}/a", {"data": {"k": "y"}, "immutable": None}, MERGE)
    fixed = "Forbidden: field is immutable when `immutable` is set"
    assert [each["message"] for each in answer.json["details"]["causes"]] == [fixed, fixed]


@in_server()
async def test_objects_are_decoded_by_their_types(asking: Asking) -> None:
    path = f"{NAMESPACES}/default/configmaps"
    problems = {
        '{"metadata":{"name":"a"},"data":{"k":1}}': "json: cannot unmarshal number into Go struct field "
        "ConfigMap.data of type string",
        '{"kind":"Secret","apiVersion":"v1"}': "converting (v1.Secret) to (core.ConfigMap): unknown conversion",
        '{"kind":"ConfigMap","apiVersion":"v9"}': 'no kind "ConfigMap" is registered for version "v9" in scheme '
        '"pkg/api/legacyscheme/scheme.go:30"',
    }
    for body, text in problems.items():
        answer = await asking.ask("POST", path, body, {"content-type": "application/json"})
        assert (answer.status, answer.json["message"].partition("cannot be handled as a ConfigMap: ")[2]) == (
            400,
            text,
        )
    body = '{"metadata":{"name":"a"},"data":{"k":"x","k":"y"},"more":1,"binaryData":{}}'
    headers = {"content-type": "application/json"}
    answer = await asking.ask("POST", f"{path}?fieldValidation=Strict", body, headers)
    assert answer.json["message"].endswith('strict decoding error: duplicate field "data.k", unknown field "more"')
    answer = await asking.ask("POST", path, body, headers)
    assert answer.header("warning") == ['299 - "duplicate field \\"data.k\\""', '299 - "unknown field \\"more\\""']
    assert {name for name in answer.json if name != "metadata"} == {"apiVersion", "kind", "data"}


@in_server()
async def test_an_update_needs_no_resource_version(asking: Asking) -> None:
    path = f"{NAMESPACES}/default/configmaps"
    await create(asking, path, "a", data={"k": "x"})
    answer = await asking.ask("PUT", f"{path}/a", {"metadata": {"name": "a"}, "data": {"k": "y"}})
    assert (answer.status, answer.json["data"]) == (200, {"k": "y"})


@in_server()
async def test_fields_have_managers(asking: Asking) -> None:
    path = f"{NAMESPACES}/default/configmaps/a"
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "x"}}
    answer = await asking.ask("PATCH", f"{path}?fieldManager=one", config, APPLY)
    assert (answer.status, answer.json["metadata"]["managedFields"][0]["fieldsV1"]) == (
        201,
        {"f:data": {"f:k": {}}},
    )
    answer = await asking.ask("PATCH", f"{path}?fieldManager=two", {**config, "data": {"k": "y"}}, APPLY)
    assert answer.json["message"] == 'Apply failed with 1 conflict: conflict with "one": .data.k'
    answer = await asking.ask("PATCH", f"{path}?fieldManager=one", {**config, "more": 1}, APPLY)
    assert (answer.status, answer.json["message"].endswith(".more: field not declared in schema")) == (500, True)


# --- discovery --------------------------------------------------------------------------------------------------------


@in_server()
async def test_core_is_discovered(asking: Asking) -> None:
    assert (await asking.ask("GET", "/api")).json["versions"] == ["v1"]
    found = (await asking.ask("GET", "/api/v1")).json
    assert found["groupVersion"] == "v1"
    resources = {each["name"]: each for each in found["resources"]}
    assert resources["configmaps"]["shortNames"] == ["cm"]
    assert resources["namespaces/finalize"]["verbs"] == ["update"]
    assert "deletecollection" not in resources["namespaces"]["verbs"]
    accept = {"accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}
    [item] = (await asking.ask("GET", "/api", headers=accept)).json["items"]
    assert item["metadata"] == {}
    assert "configmaps" in {each["resource"] for each in item["versions"][0]["resources"]}
    text = "the server could not find the requested resource"
    for path in ("/api/v1/pods", "/api/v1/namespaces/default/serviceaccounts/default/token"):
        assert refusal(await asking.ask("GET", path)) == (404, "NotFound", text)
    text = "the server does not allow this method on the requested resource"
    assert refusal(await asking.ask("DELETE", NAMESPACES)) == (405, "MethodNotAllowed", text)


@in_server()
async def test_tables_have_the_columns_of_their_kinds(asking: Asking) -> None:
    await create(asking, f"{NAMESPACES}/default/configmaps", "a", data={"k": "x"}, binaryData={"b": "AA=="})
    accept = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
    for path, columns, cells in (
        (NAMESPACES, ["Name", "Status", "Age"], ["default", "Active"]),
        (f"{NAMESPACES}/default/configmaps", ["Name", "Data", "Age"], ["a", 2]),
    ):
        found = (await asking.ask("GET", path, headers=accept)).json
        assert [each["name"] for each in found["columnDefinitions"]] == columns
        assert found["rows"][0]["cells"][:-1] == cells


@in_server()
async def test_fields_select_objects(asking: Asking) -> None:
    await create(asking, NAMESPACES, "lab")
    found = (await asking.ask("GET", f"{NAMESPACES}?fieldSelector=status.phase=Active,metadata.name=lab")).json
    assert [each["metadata"]["name"] for each in found["items"]] == ["lab"]
    answer = await asking.ask("GET", f"{NAMESPACES}?fieldSelector=spec.x=y")
    assert refusal(answer) == (400, "BadRequest", "field label not supported: spec.x")


@in_server()
async def test_a_patch_changes_no_kind(asking: Asking) -> None:
    path = f"{NAMESPACES}/default/configmaps"
    await create(asking, path, "a", data={"k": "x"})
    for patch, text in (
        ({"kind": "Secret"}, "converting (v1.Secret) to (core.ConfigMap): unknown conversion"),
        ({"apiVersion": "v9"}, 'no kind "ConfigMap" is registered for version "v9" in scheme'),
    ):
        answer = await asking.ask("PATCH", f"{path}/a", patch, MERGE)
        assert (answer.status, text in answer.json["message"]) == (422, True), answer.json
    answer = await asking.ask("GET", f"{path}?fieldSelector=data.k=x")
    fields = 'only "metadata.name", "metadata.namespace"'
    assert refusal(answer) == (400, "BadRequest", f'"data.k" is not a known field selector: {fields}')


@in_server()
async def test_a_refused_delete_keeps_the_namespace(asking: Asking) -> None:
    registration = "/apis/admissionregistration.k8s.io/v1"
    rule = {"operations": ["DELETE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]}
    spec = {"matchConstraints": {"resourceRules": [rule]}, "validations": [{"expression": "false"}]}
    await create(asking, f"{registration}/validatingadmissionpolicies", "keep", spec=spec)
    binding = {"policyName": "keep", "validationActions": ["Deny"]}
    await create(asking, f"{registration}/validatingadmissionpolicybindings", "keep", spec=binding)
    await create(asking, f"{NAMESPACES}/lab/configmaps", "a")
    await asking.settle()
    await delete_namespace(asking, "lab")
    for _ in range(100):
        await asyncio.sleep(0.02)
        conditions = (await asking.ask("GET", f"{NAMESPACES}/lab")).json["status"].get("conditions") or []
        failed = [each for each in conditions if each["type"] == "NamespaceDeletionContentFailure"]
        if failed:
            break
    assert (failed[0]["status"], failed[0]["reason"]) == ("True", "ContentDeletionFailed")
    start = 'Failed to delete all resource types, 1 remaining: configmaps "a" is forbidden: '
    assert failed[0]["message"].startswith(start)
    await asking.ask("DELETE", f"{registration}/validatingadmissionpolicybindings/keep")
    for _ in range(100):
        await asyncio.sleep(0.02)
        if (await asking.ask("GET", f"{NAMESPACES}/lab")).status == 404:
            return
    raise AssertionError("the namespace is still there")
