"""The judgement of a real API server on definitions and objects, asked through a program that answers JSON lines.

The program is no part of this project; `README.md` beside this file has the protocol. This module starts one, asks it
and gives its answers types. It never judges anything itself.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

Object = Mapping[str, Any]


class ApiServerError(RuntimeError):
    """The program ended, or said that it could not do what was asked."""


class NotAcceptedError(ApiServerError):
    """Objects of a definition were to be judged that the server does not accept."""

    def __init__(self, errors: tuple[Error, ...]) -> None:
        super().__init__("the definition is not accepted:\n" + "\n".join(map(str, errors)))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Error:
    """One thing that the server has against what it was given.

    Attributes:
        type: A type as `FieldValueInvalid`, `StrictDecoding` (the definition has fields that nobody knows) or
            `BadRequest` (what was given is not even an object of the kind).
        field: The path, empty for the root.
        detail: What is wrong, without the path.
        text: The whole message, as a person gets it.
        bad: The value that is wrong, where the server names it.
    """

    type: str
    field: str
    detail: str
    text: str
    bad: Any = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class RuleCost:
    """What one rule of a definition may cost at most.

    Attributes:
        version: The version whose schema has the rule; empty if all versions have the same schema.
        path: Where the rule stands.
        rule: Its text.
        cost: Its estimate, times the number of places it applies to. `limit` is what it may not exceed.
        limit: What the server allows one rule.
        base: The estimate for one place.
        cardinality: The number of places, or None if nothing limits it.
        error: Why the rule does not compile, if it does not.
        message_error: Why its `messageExpression` does not compile.
        old_self: Whether it is a transition rule.
    """

    version: str
    path: str
    rule: str
    cost: int
    limit: int
    base: int
    cardinality: int | None
    error: str
    message_error: str
    old_self: bool


@dataclass(frozen=True, slots=True)
class Costs:
    """The rules of a definition with their estimates, and the errors that `check_crd` gives."""

    errors: tuple[Error, ...]
    rules: tuple[RuleCost, ...]
    total: int
    limit: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of creating or updating an object.

    Attributes:
        errors: Why it is refused; empty if it is not.
        object: It as it would be stored: without unknown fields, with defaults. None if it could not be read.
        warnings: What the server says to the user beside it.
        unknown: The paths that were left out because the schema does not know them.
        selectable: The values of its selectable fields.
    """

    errors: tuple[Error, ...]
    object: dict[str, Any] | None
    warnings: tuple[str, ...]
    unknown: tuple[str, ...]
    selectable: dict[str, str]


class Source(Protocol):
    """Source of answers to the questions of the protocol: a running program, or its recorded answers."""

    def answer(self, question: Object) -> dict[str, Any]: ...


class Program:
    """A running program. Use it in a `with` statement; questions and answers go one by one."""

    def __init__(self, *command: str) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._loaded: dict[str, str] = {}

    def __enter__(self) -> Program:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process, self._process = self._process, None
        self._loaded.clear()
        if process is None:
            return
        try:
            process.communicate(timeout=10)
        except BrokenPipeError:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()

    def answer(self, question: Object) -> dict[str, Any]:
        """Answers one question. A definition is compiled once, however many questions are about its objects.

        Raises:
            ApiServerError: The program has ended.
        """
        if question["op"] != "validate":
            return self._ask(question)
        text = json.dumps([question["crd"], question["unchecked"]])
        if text not in self._loaded:
            loaded = self._ask({"op": "load", "id": text, "crd": question["crd"], "unchecked": question["unchecked"]})
            if "ok" not in loaded:
                return loaded
            self._loaded[text] = text
        return self._ask({**question, "crd": None, "id": text})

    def _ask(self, question: Object) -> dict[str, Any]:
        process = self._process
        assert process is not None, "a Program is used in a with statement"
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(question, allow_nan=False) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            line = ""
        else:
            line = process.stdout.readline()
        if not line:
            raise ApiServerError(f"{self._command[0]} ended without an answer")
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer


class ApiServer:
    """Asks for judgements of definitions and objects, and gives the answers types."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def ask(self, op: str, **arguments: Any) -> dict[str, Any]:
        """Returns the answer to one question of the protocol, as it comes.

        Raises:
            ApiServerError: The program is gone, or did not understand, or failed.
        """
        answer = self._source.answer({"op": op, **arguments})
        if "crdErrors" in answer:
            raise NotAcceptedError(_errors(answer["crdErrors"]))
        if wrong := answer.get("panic") or answer.get("error"):
            raise ApiServerError(f"{wrong}\n{answer.get('stack', '')}".rstrip())
        return answer

    def check_crd(self, crd: Object, old: Object | None = None) -> tuple[Error, ...]:
        """The errors of creating a definition, or of updating an old one to it."""
        return _errors(self.ask("crd", crd=crd, oldCrd=old)["errors"])

    def warnings(self, crd: Object) -> tuple[str, ...]:
        """What the server warns of when a definition is created."""
        return tuple(self.ask("crd", crd=crd)["warnings"])

    def costs(self, crd: Object) -> Costs:
        """The estimated cost of each rule of a definition."""
        answer = self.ask("cost", crd=crd)
        rules = tuple(
            RuleCost(
                version=rule["version"],
                path=rule["path"],
                rule=rule["rule"],
                cost=rule["cost"],
                limit=rule["limit"],
                base=rule["base"],
                cardinality=rule["cardinality"],
                error=rule.get("error", ""),
                message_error=rule.get("messageError", ""),
                old_self=rule["oldSelf"],
            )
            for rule in answer.get("rules", ())
        )
        return Costs(_errors(answer["errors"]), rules, answer.get("total", 0), answer.get("totalLimit", 0))

    def validate(
        self,
        crd: Object,
        obj: Object,
        old: Object | None = None,
        *,
        version: str = "",
        subresource: str = "",
        keep_status: bool = False,
    ) -> Verdict:
        """What comes of creating an object, or of updating an old one to it.

        Args:
            crd: The definition. It is compiled once, however many objects are judged.
            obj: The object. The server gives it a name and a namespace if it has none.
            old: The object as it is stored, for an update.
            version: The version it is sent to; the stored one if empty.
            subresource: `status` to send it there. Without an old object it is taken to have had no status.
            keep_status: Whether its status counts on creation, where the server drops it.

        Raises:
            NotAcceptedError: The server does not accept the definition.
        """
        return self.validate_all(crd, [(obj, old)], version=version, subresource=subresource, keep_status=keep_status)[
            0
        ]

    def validate_all(
        self,
        crd: Object,
        pairs: Sequence[tuple[Object, Object | None]],
        *,
        version: str = "",
        subresource: str = "",
        keep_status: bool = False,
        unchecked: bool = False,
    ) -> list[Verdict]:
        """As `validate`, for pairs of new and old objects in one question, which is much faster.

        With `unchecked` objects are judged even if the server would not accept the definition, such as for its cost.
        """
        answer = self.ask(
            "validate",
            crd=crd,
            unchecked=unchecked,
            objs=[new for new, _ in pairs],
            olds=[old for _, old in pairs],
            version=version,
            subresource=subresource,
            keepStatus=keep_status,
        )
        return [_verdict(result) for result in answer["results"]]

    def openapi(self, crd: Object, version: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns the schema of the kind in the documents that the server publishes: OpenAPI v3 and v2."""
        answer = self.ask("openapi", crd=crd, version=version)
        return answer["schema3"], answer["schema2"]


def _errors(answers: Sequence[Object]) -> tuple[Error, ...]:
    return tuple(Error(a["type"], a["field"], a["detail"], a["text"], a.get("bad")) for a in answers)


def _verdict(answer: Object) -> Verdict:
    if wrong := answer.get("panic"):
        raise ApiServerError(f"{wrong}\n{answer.get('stack', '')}")
    return Verdict(
        errors=_errors(answer["errors"]),
        object=answer.get("object"),
        warnings=tuple(answer.get("warnings", ())),
        unknown=tuple(answer.get("unknownFields", ())),
        selectable=answer.get("selectable", {}),
    )
