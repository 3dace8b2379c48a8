"""Functions of users beside validators: how they are declared, when they are asked, and what becomes of failures."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import types
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.tables import each
from tests.webhooks.asking import body, patch, response
from tests.webhooks.robots import robot, robots
from tests.webhooks.test_reviews import REQUEST
from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks import (
    DeclarationError,
    DeniedError,
    Functions,
    Mutating,
    Reader,
    Request,
    Validating,
    Warned,
    by_validators,
    mutates,
    validates,
)
from validation_gen.webhooks.checks import find_declared

ALLOWED = {"uid": REQUEST["uid"], "allowed": True}
_kind: Any = 7
TAKEN = FieldError.invalid("spec.name", "bob", "is taken")


def _asked(*functions: Any, obj: Any = None, old: Any = None, reader: Any = None, **more: Any) -> dict[str, Any]:
    users = Functions(functions, reader=reader, total=more.pop("total", 8.0))
    judge = by_validators(robots().registry, {"Armed": False})
    sent = robot(name="bob") if obj is None and more.get("operation") != "DELETE" else obj
    return response(Validating(judge, functions=users), sent, old, **more)


# --- what they say ----------------------------------------------------------------------------------------------------


@validates("Robot")
def returns_one(request: Request) -> FieldError:
    return TAKEN


@validates("Robot", group="example.com", version="v1")
def returns_several(request: Request) -> list[FieldError]:
    return [TAKEN]


@validates("Robot")
def yields(request: Request) -> Iterator[FieldError | None]:
    yield None
    yield TAKEN


@validates("Robot")
def raises(request: Request) -> None:
    raise DeniedError(TAKEN)


@validates("Robot")
async def returns_later(request: Request) -> FieldError:
    await asyncio.sleep(0)
    return TAKEN


@validates("Robot")
async def yields_later(request: Request) -> Any:
    await asyncio.sleep(0)
    yield TAKEN


async def returns_later_than(seconds: float, request: Request) -> FieldError:
    await asyncio.sleep(seconds)
    return TAKEN


class Called:
    """A function that is an object."""

    async def __call__(self, request: Request) -> FieldError:
        return TAKEN


@each(
    "function",
    [
        returns_one,
        returns_several,
        yields,
        raises,
        returns_later,
        yields_later,
        validates("Robot")(Called()),
        validates("Robot")(partial(returns_later_than, 0)),
    ],
    ids=lambda function: getattr(function, "__name__", "object"),
)
def test_what_is_wrong_is_told_in_any_way(function: Any) -> None:
    found = _asked(function)
    assert found["status"]["message"] == (
        'Robot.example.com "talos" is invalid: spec.name: Invalid value: "bob": is taken'
    )


def test_nothing_is_wrong() -> None:
    @validates("Robot")
    def fine(request: Request) -> None:
        return None

    assert _asked(fine) == ALLOWED


def test_warnings_refuse_nothing() -> None:
    @validates("Robot")
    def warns(request: Request) -> Iterator[Any]:
        yield Warned("soon it will be taken")

    assert _asked(warns) == {**ALLOWED, "warnings": ["soon it will be taken"]}
    found = _asked(warns, yields)
    assert (found["allowed"], found["warnings"]) == (False, ["soon it will be taken"])


def test_a_request_is_denied_with_words() -> None:
    @validates("Robot", operations="DELETE")
    def keeps(request: Request) -> None:
        assert request.old["kind"] == "Robot"
        raise DeniedError("it is charging")

    assert _asked(keeps) == ALLOWED
    found = _asked(keeps, old=robot(), operation="DELETE")
    assert found["status"] == {"status": "Failure", "code": 403, "reason": "Forbidden", "message": "it is charging"}


def test_they_are_asked_once_validators_are_content() -> None:
    asked: list[Any] = []

    @validates("Robot")
    def notes(request: Request) -> None:
        asked.append((request.object["spec"]["name"], request.operation, request.dry_run, request.user["username"]))

    assert _asked(notes, obj=robot(name="longer"))["allowed"] is False
    assert asked == []
    _asked(notes, dryRun=True)
    _asked(notes, old=robot())
    assert asked == [("bob", "CREATE", True, "admin"), ("bob", "UPDATE", False, "admin")]


@each(
    ("declared", "is_asked"),
    [
        ({}, True),
        ({"group": "example.com"}, True),
        ({"group": "example.org"}, False),
        ({"version": "v1"}, True),
        ({"version": "v2"}, False),
        ({"operations": ("UPDATE", "DELETE")}, False),
        ({"operations": "CREATE"}, True),
        ({"subresource": "status"}, False),
    ],
)
def test_which_requests_they_are_about(declared: dict[str, Any], is_asked: bool) -> None:
    @validates("Robot", **declared)
    def refuses(request: Request) -> FieldError:
        return TAKEN

    assert _asked(refuses)["allowed"] is not is_asked


def test_a_function_about_a_scale_is_found_by_the_resource() -> None:
    @validates("Robot", group="example.com", subresource="scale")
    def asks(request: Request) -> FieldError | None:
        return FieldError.invalid("spec.replicas", 7, "no") if request.object["spec"]["replicas"] == 7 else None

    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 7}}
    for plural, allowed in (("robots", False), ("docks", True)):
        resource = {"group": "example.com", "version": "v1", "resource": plural}
        assert _asked(asks, obj=scale, old=scale, subResource="scale", resource=resource)["allowed"] is allowed
    users = Functions([asks], plurals={("example.com", "robotniks"): "Robot"})
    resource = {"group": "example.com", "version": "v1", "resource": "robotniks"}
    endpoint = Validating(by_validators(robots().registry), functions=users)
    assert response(endpoint, scale, scale, subResource="scale", resource=resource)["allowed"] is False


def test_what_is_nested_deeply_is_copied() -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]

    @mutates("Robot")
    def changes(request: Request) -> None:
        request.object["spec"]["color"] = "red"

    endpoint = Mutating(functions=Functions([changes]))
    assert patch(response(endpoint, robot(deep=deep))) == [{"op": "add", "path": "/spec/color", "value": "red"}]


def test_kinds_without_validators_are_up_to_functions() -> None:
    @validates("ConfigMap")
    def has_key(request: Request) -> FieldError | None:
        return None if "key" in (request.object.get("data") or {}) else FieldError.required("data.key")

    config: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    assert _asked(has_key, obj={**config, "data": {"key": ""}}) == ALLOWED
    found = _asked(has_key, obj=config)["status"]
    assert found["message"] == 'ConfigMap "talos" is invalid: data.key: Required value'
    assert _asked(has_key, obj={**config, "kind": "Secret"})["status"]["code"] == 400


# --- failures ---------------------------------------------------------------------------------------------------------


def _fails(request: Request) -> Any:
    raise ZeroDivisionError("with what nobody is to see")


async def _fails_later(request: Request) -> Any:
    raise ZeroDivisionError("with what nobody is to see")


def _says_nonsense(request: Request) -> Any:
    return "with what nobody is to see"


def _ends_all(request: Request) -> Any:
    raise SystemExit("with what nobody is to see")


@pytest.mark.parametrize("function", [_fails, _fails_later, _says_nonsense, _ends_all])
def test_a_failure_lets_nothing_pass(function: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "validation_gen.webhooks"):
        found = _asked(validates("Robot")(function))
    assert (found["allowed"], found["status"]["code"]) == (False, 500)
    assert found["status"]["message"] == "a function of the webhook failed; its log says why"
    assert "nobody" not in json.dumps(found)
    (record,) = caplog.records
    assert (record.__dict__["function"], record.__dict__["uid"]) == (function.__qualname__, REQUEST["uid"])
    assert record.getMessage().startswith(f"The function {function.__qualname__} failed: ")
    if function in (_fails, _fails_later):
        assert "failed: ZeroDivisionError (test_functions.py:" in record.getMessage()
    if function is _says_nonsense:
        assert record.getMessage().endswith("it returns FieldErrors, Warned or nothing, and not str")
    assert "nobody" not in record.getMessage()


def test_who_says_so_lets_requests_pass(caplog: pytest.LogCaptureFixture) -> None:
    def fails(request: Request) -> None:
        raise OSError("away")

    function = validates("Robot", fail_open=True)(fails)
    found = _asked(function, yields)
    assert found["allowed"] is False  # the next one is asked
    assert _asked(function) == {**ALLOWED, "auditAnnotations": {"failed-open": fails.__qualname__}}
    assert len(caplog.records) == 2


def test_functions_have_their_time(caplog: pytest.LogCaptureFixture) -> None:
    go_on = threading.Event()

    @validates("Robot", timeout=0.01)
    def waits(request: Request) -> None:
        go_on.wait(60)

    @validates("Robot", timeout=0.01)
    async def waits_too(request: Request) -> None:
        await asyncio.Event().wait()

    for function in (waits, waits_too):
        found = _asked(function)
        assert (found["allowed"], found["status"]["code"]) == (False, 500)
    assert "it took more than 0.01 s" in caplog.text
    go_on.set()


def test_all_of_them_have_a_time_together(caplog: pytest.LogCaptureFixture) -> None:
    @validates("Robot", timeout=30, fail_open=True)
    async def waits(request: Request) -> None:
        await asyncio.Event().wait()

    assert _asked(waits, yields, total=0.01)["status"]["code"] == 500
    assert "those before it have taken all the time" in caplog.text


def test_they_have_no_more_time_than_the_server_waits(caplog: pytest.LogCaptureFixture) -> None:
    """Who lets requests pass does so before the server gives up."""

    @validates("Robot", timeout=30, fail_open=True)
    async def waits(request: Request) -> None:
        await asyncio.Event().wait()

    endpoint = Validating(by_validators(robots().registry, {"Armed": False}), functions=Functions([waits]))

    async def main() -> dict[str, Any]:
        asked = replace(endpoint.read(body(robot(name="bob"))), due=asyncio.get_running_loop().time() + 0.5)
        found: dict[str, Any] = dict((await endpoint.answer(asked)).review["response"])
        return found

    found = asyncio.run(main())
    assert (found["allowed"], list(found["auditAnnotations"])) == (True, ["failed-open"])
    assert "it took more than 0." in caplog.text


def test_they_can_read_other_objects() -> None:
    async def get(api_version: str, kind: str, namespace: str, name: str) -> Any:
        return (
            {"spec": {"owner": "me"}}
            if (api_version, kind, namespace, name) == ("v1", "Dock", "default", "a")
            else None
        )

    @validates("Robot")
    async def later(request: Request, reader: Reader) -> FieldError | None:
        return TAKEN if await reader.get("v1", "Dock", request.namespace, "a") else None

    @validates("Robot")
    def now(request: Request, reader: Any) -> FieldError | None:
        return TAKEN if reader.get("v1", "Dock", request.namespace, "b") is None else None

    for function in (later, now):
        assert _asked(function, reader=get)["allowed"] is False
        assert _asked(function)["status"]["code"] == 500  # there is nobody to ask


# --- how they are declared --------------------------------------------------------------------------------------------


def test_declarations_are_found_in_modules_in_their_order() -> None:
    module = types.ModuleType("own")
    module.__dict__.update(first=yields, second=returns_one, again=yields, types=types, Warned=Warned)
    assert [each.name for each in find_declared([module])] == ["yields", "returns_one"]

    @validates("Robot")
    @validates("Dock", operations=["CREATE"])
    def both(request: Request) -> None:
        return None

    assert [each.kind for each in find_declared([both])] == ["Dock", "Robot"]


def test_methods_know_their_object() -> None:
    class Docks:
        def __init__(self, name: str) -> None:
            self.name = name

        @validates("Robot")
        def has_none(self, request: Request) -> FieldError | None:
            return TAKEN if request.object["spec"]["name"] == self.name else None

    assert _asked(Docks("bob").has_none)["allowed"] is False
    assert _asked(Docks("ann").has_none) == ALLOWED


@each(
    ("declare", "said"),
    [
        (lambda: validates("", operations=[])(print), "'' is not a kind"),
        (lambda: validates("example.com/Robot"), "its group is an argument of its own"),
        (lambda: validates("Robot", group="example.com/v1"), "the version is an argument of its own"),
        (lambda: validates("Robot", operations=["create"]), "there is no operation 'create'; did you mean CREATE?"),
        (lambda: validates("Robot", operations=[]), "there are no operations"),
        (lambda: validates("Robot", timeout=0), "is not a number of seconds up to 30"),
        (lambda: validates("Robot", timeout=31), "is not a number of seconds up to 30"),
        (lambda: validates(_kind), "kind is not a string"),
        (lambda: validates("Robot")(_kind), "is put above a function"),
        (lambda: mutates("Robot", operations=["DELETE"]), "'DELETE' has no object that could be changed"),
        (lambda: validates("Robot")(print), "validates cannot be put above <built-in function print>"),
        (lambda: Functions([print]), "declares nothing"),
        (lambda: Functions([types.ModuleType("empty")]), "empty declares nothing"),
    ],
)
def test_declarations_that_make_no_sense(declare: Any, said: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        declare()
    assert said in str(caught.value)


def test_who_changes_objects_judges_none() -> None:
    @mutates("Robot")
    def changes(request: Request) -> None:
        request.object["spec"]["color"] = "red"

    assert _asked(changes) == ALLOWED
    assert patch(response(Mutating(functions=Functions([changes, returns_one])), robot()))
