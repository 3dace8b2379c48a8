"""Renders the answers of a webhook in the words of kubectl, and as documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from validation_gen.diagnostics.formats import one_line
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.runtime.gotext import go_json
from validation_gen.uses.review.answers import Reviewed

_SHORT, _MOST = 1000, 1000


def title(reviewed: Reviewed) -> str:
    """Returns the name of an object in kubectl's form: `robot.example.com/talos`."""
    version, kind, _, name = reviewed.manifest.identity
    group = version.rpartition("/")[0]
    return f"{kind.lower()}{f'.{group}' if group else ''}/{name}"


def lines(reviewed: Reviewed, *, converted: bool) -> Iterator[str]:
    """Yields the output for an admitted object."""
    if not reviewed.allowed:
        return
    what = "allowed"
    if converted:
        what = f"converted to {reviewed.object.get('apiVersion')}"
    elif reviewed.patch:
        what = "allowed, with changes"
    yield one_line(f"{title(reviewed)} {what}")
    for change in (reviewed.patch or ())[:_MOST]:
        yield one_line(f"  {_change(change):.{_SHORT}}")


def _change(change: Any) -> str:
    """Renders a change of a patch: `add /spec/replicas: 1`."""
    if not isinstance(change, dict):
        return go_json(change)
    more = (
        f": {go_json(change['value'])}" if "value" in change else f" from {change['from']}" if "from" in change else ""
    )
    return f"{change.get('op')} {change.get('path')}{more}"


def complaints(reviewed: Reviewed, url: str) -> Iterator[str]:
    """Yields warnings and errors, as kubectl writes them."""
    place = f"{reviewed.manifest.file}:{reviewed.manifest.line}"
    yield from (one_line(f"Warning: {each:.{_SHORT}}") for each in reviewed.warnings)
    if reviewed.problem:
        yield one_line(f"{place}: error: {reviewed.problem:.{_SHORT}}")
        return
    if reviewed.allowed:
        return
    kind, name = reviewed.about
    if reviewed.reason == "Invalid" and reviewed.causes:
        told = [f"{field}: {text}" if field else text for field, text in reviewed.causes]
        head = f'{place}: The {kind:.{_SHORT}} "{name:.{_SHORT}}" is invalid:'
        if len(told) == 1:
            yield one_line(f"{head} {told[0]:.{_SHORT}}")
            return
        yield one_line(head)
        yield from (one_line(f"* {each:.{_SHORT}}") for each in told)
        return
    reason = f" ({reviewed.reason:.80})" if reviewed.reason else ""
    message = reviewed.message or "without explanation"
    yield one_line(f'{place}: Error from server{reason}: webhook "{url}" denied the request: {message:.{_SHORT}}')


def written(found: Sequence[Reviewed]) -> str:
    """Renders the admitted objects as YAML documents."""
    return "---\n".join(as_yaml(each.object, marker=None) for each in found if each.allowed)
