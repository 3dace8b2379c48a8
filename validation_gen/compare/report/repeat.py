"""How to see a mismatch again: the request as a line of the line protocol, and the commands that it goes to."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from validation_gen.compare.report.wording import visible
from validation_gen.compare.requests import Request
from validation_gen.compare.results import Group
from validation_gen.runtime.gotext import go_json

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Repeat:
    """`again` compares the place of the example once more, `alone` asks declarative validation for its verdict.

    `request` is the line that `alone` reads, `""` if it is too long to be shown.
    """

    again: str
    alone: str
    request: str


def repeat(group: Group, about: Mapping[str, str]) -> Repeat:
    """The commands of a group. What was compared is taken from the head of the results."""
    line = request_line(group)
    paths = about.get("paths", "")
    return Repeat(
        _again(group.example.place, about),
        f"validation-gen stdio {visible(paths)}" if paths else "",
        line if len(line) <= _LONGEST else "",
    )


def request_line(group: Group) -> str:
    """The example as a request of the line protocol, in ASCII."""
    sort, example = group.sort, group.example
    before, _, kind = sort.kind.rpartition("/")
    package = ""
    if "." in kind:  # `import/path.Kind`; names of kinds have no dots
        package, _, kind = sort.kind.rpartition(".")
    operation, _, subresource = sort.operation.partition(" ")
    request = Request(
        kind=kind,
        package=package,
        api_version="" if package else before,
        obj=example.obj,
        old=example.old,
        update=operation == "update",
        options=example.options,
        subresource=subresource or "/",
    )
    try:
        return json.dumps(request.as_line(1))
    except RecursionError:  # JSON that is nested too deeply for the encoder
        return go_json(request.as_line(1))


def _again(place: str, about: Mapping[str, str]) -> str:
    """The command of the comparison, only on the file of the example if that is known."""
    if not about.get("paths") or not about.get("handwritten"):
        return ""
    words = ["validation-gen compare", visible(about["paths"]), "--handwritten", _word(about["handwritten"])]
    file = re.sub(r"(:[0-9]+)+$", "", place)
    if about.get("seed"):
        words += ["--fuzz", _word(about.get("fuzz", "1000")), "--seed", _word(about["seed"])]
    elif file or about.get("objects"):
        words += ["--objects", _word(file or about["objects"])]
    for name in ("target", "lifecycle"):
        if about.get(name):
            words += [f"--{name}", _word(about[name])]
    return " ".join(words)


def _word(text: str) -> str:
    return shlex.quote(visible(text))
