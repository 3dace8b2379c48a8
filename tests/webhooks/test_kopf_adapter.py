"""A webhook in an operator, asked by kopf's own handling of admission requests."""

from __future__ import annotations

import asyncio
import functools
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import kopf
import pytest
from kopf._cogs.configs.configuration import OperatorSettings
from kopf._cogs.structs.ephemera import AnyMemo, Memo
from kopf._cogs.structs.references import Insights, Resource
from kopf._core.engines.admission import serve_admission_request
from kopf._core.intents.causes import WebhookType
from kopf._core.reactor.inventory import ResourceMemories

from tests.webhooks.asking import patch
from tests.webhooks.robots import robot, robots
from tests.webhooks.test_patches import applied
from validation_gen.mismatch import FieldError
from validation_gen.webhooks import DeniedError, Request, Warned, mutates, validates
from validation_gen.webhooks.application import make_defaults
from validation_gen.webhooks.kopf import merged, register

logging.getLogger("kopf").setLevel(logging.CRITICAL)


@validates("Robot", group="example.com")
async def warns(request: Request) -> Any:
    if request.dry_run:
        yield Warned(f"{request.name} in {request.namespace}, by {request.user['username']}")
    if request.object["spec"].get("name") == "bob":
        yield FieldError.invalid("spec.name", "bob", "is taken")


@validates("Robot", operations=["DELETE"])
def keeps(request: Request) -> None:
    if request.old["spec"].get("color") == "gold":
        raise DeniedError("it is worth too much")


@mutates("Robot", version="v1")
def paints(request: Request) -> None:
    request.object["spec"].setdefault("arms", [])
    request.object["metadata"].pop("labels", None)
    request.object["status"] = {}


@pytest.fixture
def operator() -> Iterator[kopf.OperatorRegistry]:
    before = kopf.get_default_registry()
    found = kopf.OperatorRegistry()
    kopf.set_default_registry(found)
    try:
        yield found
    finally:
        kopf.set_default_registry(before)


@pytest.fixture
def registered(operator: kopf.OperatorRegistry) -> kopf.OperatorRegistry:
    register(
        kopf,
        robots().registry,
        options={"Armed": False},
        functions=[warns, keeps, paints],
        defaults=make_defaults(robots().scheme),
    )
    return operator


def _asked(
    registry: kopf.OperatorRegistry,
    obj: Any,
    old: Any = None,
    *,
    reason: WebhookType = WebhookType.VALIDATING,
    subresource: str | None = None,
    dry_run: bool = False,
    version: str = "v1",
) -> dict[str, Any]:
    """Kopf's response."""
    resource = Resource("example.com", version, "robots", kind="Robot", namespaced=True)
    insights = Insights()
    insights.webhook_resources.add(resource)
    respond = functools.partial(
        serve_admission_request,
        reason=reason,
        settings=OperatorSettings(),
        memories=ResourceMemories(),
        memobase=AnyMemo(Memo()),
        registry=registry,
        insights=insights,
        indices={},
    )
    operation = "DELETE" if obj is None else "CREATE" if old is None else "UPDATE"
    request = {
        "uid": "1",
        "resource": {"group": "example.com", "version": version, "resource": "robots"},
        "subResource": subresource,
        "operation": operation,
        "userInfo": {"username": "somebody", "uid": "", "groups": []},
        "object": obj,
        "oldObject": old,
        "dryRun": dry_run,
    }
    review: Any = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    found: dict[str, Any] = dict(asyncio.run(respond(review))["response"])
    return found


def _robot(version: str = "v1", **spec: Any) -> dict[str, Any]:
    found = robot(version, **spec)
    found["metadata"]["uid"] = "7"
    return found


def test_objects_are_judged(registered: kopf.OperatorRegistry) -> None:
    assert _asked(registered, _robot()) == {"uid": "1", "allowed": True}
    found = _asked(registered, _robot(replicas=9, name="longer"))
    assert found["status"]["code"] == 422
    assert found["status"]["message"] == (
        'Robot.example.com "talos" is invalid: [spec.name: Too long: may not be more than 5 characters, '
        "spec.replicas: Invalid value: 9: must be less than or equal to 8 (beta rule)]"
    )
    assert _asked(registered, _robot("v1beta1", name="longer"), version="v1beta1")["allowed"]


def test_updates_and_the_status(registered: kopf.OperatorRegistry) -> None:
    old = _robot(replicas=9)
    assert _asked(registered, old, old)["allowed"]
    assert _asked(registered, _robot(color="red"), _robot(color="blue"))["status"]["code"] == 422
    new = {**old, "status": {"replicas": -1}}
    assert "status.replicas" in _asked(registered, new, old, subresource="status")["status"]["message"]


def test_functions_of_users(registered: kopf.OperatorRegistry) -> None:
    found = _asked(registered, _robot(name="bob"), dry_run=True)
    assert (found["allowed"], found["warnings"]) == (False, ["talos in default, by somebody"])
    assert found["status"]["message"].endswith('spec.name: Invalid value: "bob": is taken')
    assert _asked(registered, None, _robot())["allowed"]
    found = _asked(registered, None, _robot(color="gold"))
    assert found["status"] == {"code": 403, "message": "it is worth too much"}


def test_objects_are_changed(registered: kopf.OperatorRegistry) -> None:
    obj = _robot()
    obj["metadata"]["labels"] = {"a": "b"}
    obj["spec"] = {"name": "ann"}
    found = _asked(registered, obj, reason=WebhookType.MUTATING)
    assert found["allowed"]
    made = applied(patch(found), obj)
    assert made["spec"] == {"name": "ann", "replicas": 3, "arms": []}
    assert "labels" not in made["metadata"]
    assert made["status"] == {}
    assert "patch" not in _asked(registered, made, reason=WebhookType.MUTATING)
    found = _asked(registered, _robot("v1beta1"), reason=WebhookType.MUTATING, version="v1beta1")
    assert "patch" not in found  # the function is about another version, and nothing lacks a default


def test_without_more_there_is_validation_alone(operator: kopf.OperatorRegistry) -> None:
    register(kopf, robots().registry, options={"Armed": False})
    handlers = operator._webhooks.get_all_handlers()
    assert {handler.id for handler in handlers} == {
        "validate-robots-v1-example-com",
        "validate-robots-v1-example-com-status",
        "validate-robots-v1beta1-example-com",
        "validate-robots-v1beta1-example-com-status",
    }


def test_an_operator_needs_nothing_else() -> None:
    """In the image of an operator there is Python, kopf, and this package without what it depends on."""
    program = (
        "import sys, validation_gen.webhooks.kopf\n"
        "ours = {'validation_gen', *sys.stdlib_module_names}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - ours - set(sys.argv[1].split())))"
    )
    before = " ".join({name.partition(".")[0] for name in _fresh("import sys; print(*sys.modules)").split()})
    assert _fresh(program, before) == "[]\n"


def _fresh(program: str, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *args], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


def test_an_older_kopf_merges() -> None:
    old = {"a": 1, "b": {"c": 1, "d": 2, "e": {"f": 1}}, "g": [1]}
    new = {"b": {"c": True, "d": 2, "e": {}}, "g": [1, 2], "h": {"i": 1}}
    assert merged(old, new) == {"a": None, "b": {"c": True, "e": {"f": None}}, "g": [1, 2], "h": {"i": 1}}
    assert merged(old, old) == {}
