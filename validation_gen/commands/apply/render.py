"""Renders the results of manifests in the words of kubectl, and as documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from validation_gen.commands.apply.answers import BAD_REQUEST, CONFLICT, NOT_FOUND, Applied, State
from validation_gen.commands.kind_lookup import tally
from validation_gen.diagnostics.formats import one_line
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.kubernetes.objects.outcome import Outcome, find_changes
from validation_gen.runtime.gotext import go_json, sort_members
from validation_gen.runtime.words import counted

#: Reasons of refusals, as kubectl prints them.
_REASONS = {BAD_REQUEST: " (BadRequest)", NOT_FOUND: " (NotFound)", CONFLICT: " (Conflict)"}


def lines(applied: Applied, output: str = "") -> Iterator[str]:
    """Yields the output for an accepted object; with `diff`, also the fields that the server stores differently."""
    if applied.fails:
        return
    if output == "name":
        yield applied.manifest.title
        return
    yield f"{applied.manifest.title} {applied.state.value} (server dry run)"
    if output == "diff" and applied.sent is not None:
        for change in find_changes(_without_managed(applied.sent), _without_managed(applied.object)):
            yield one_line(f"  {change.path}: {change.kind}: {go_json(change.value)}")


def complaints(applied: Applied) -> Iterator[str]:
    """Yields warnings and errors, as kubectl writes them."""
    place = f"{applied.manifest.file}:{applied.manifest.line}"
    for warning in (*applied.warnings, *(applied.outcome.warnings if applied.outcome is not None else ())):
        yield one_line(f"Warning: {warning}")
    if applied.state is State.NOT_JUDGED:
        yield one_line(f"{place}: not judged: {applied.problems[0]}")
        return
    if not applied.fails:
        return
    kind, name = applied.manifest.identity[1], applied.manifest.name
    if applied.by_client or (applied.outcome is not None and applied.outcome.problems):
        author = "error" if applied.by_client else _author(applied.outcome)
        yield one_line(f"{place}: {author}: {applied.problems[0]}")
        yield from map(one_line, applied.problems[1:])
        return
    problems = list(dict.fromkeys([*applied.problems, *map(str, applied.errors)]))
    subject = "The request" if applied.by_patch else f'The {kind} "{name}"'
    head = f"{place}: {subject} is invalid: "  # with several errors kubectl leaves the blank at the end of the line
    if len(problems) == 1:
        yield one_line(f"{head}{problems[0]}")
    else:
        yield one_line(head)
        yield from (one_line(f"* {each}") for each in problems)


def _author(outcome: Outcome | None) -> str:
    return f"Error from server{_REASONS.get(outcome.code, '') if outcome is not None else ''}"


def summary(found: Sequence[Applied]) -> list[str]:
    """Returns the number of validated objects and the kinds of all others; empty if all were validated."""
    others = [each for each in found if each.state is State.NOT_JUDGED]
    if not others:
        return []
    judged = len(found) - len(others)
    return [f"{counted(len(found), 'object')}: {judged} judged, {len(others)} not judged", *tally(map(_kind, others))]


def _kind(applied: Applied) -> str:
    """Returns the kind of an object that is not validated, with the reason."""
    if applied.recognised is not None:
        return str(applied.recognised)
    version, kind, _, _ = applied.manifest.identity
    return f"{kind} {version}: {applied.problems[0]}" if version and kind else "without apiVersion and kind"


def render_objects(objects: Sequence[dict[str, Any]], output: str, *, managed: bool = False) -> str:
    """Renders the objects as one document: a list if there are several, as kubectl prints them.

    `managed` keeps `metadata.managedFields`.
    """
    if not objects:
        return ""
    ordered = [sort_members(obj if managed else _without_managed(obj)) for obj in objects]
    whole: dict[str, Any] = ordered[0] if len(ordered) == 1 else {"apiVersion": "v1", "items": ordered, "kind": "List"}
    if output == "json":
        return json.dumps(whole, indent=4, ensure_ascii=False) + "\n"
    return as_yaml(whole, marker=None)


def _without_managed(obj: Any) -> Any:
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict) or "managedFields" not in metadata:
        return obj
    return {**obj, "metadata": {name: value for name, value in metadata.items() if name != "managedFields"}}
