"""Builds a shell command that repeats a mismatch, with the original request."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from validation_gen.runtime.gotext import go_json
from validation_gen.uses.compare.groups import Example, Group
from validation_gen.uses.compare.report.wording import visible
from validation_gen.uses.compare.requests import Request

_LONGEST = 4000
#: Specifications of the handwritten side. One from the project's settings is not repeated, as the command finds it
#: there.
_SPEC = re.compile(r"(?:python|exec|webhook):")
_PLACE = re.compile(r"(.+?)(?::[0-9]+)+")


def repeat(group: Group, about: Mapping[str, str]) -> str:
    """Returns the comparison of the example alone, or of its file if it is too long to be shown.

    The head of the results has the arguments; the command is `""` without them.
    """
    if not about.get("paths") or not about.get("handwritten"):
        return ""
    words = ["validation-gen compare", visible(about["paths"])]  # quoted by the author of the head
    if _SPEC.match(about["handwritten"]):
        words.append(f"--handwritten {_word(about['handwritten'])}")
    if about.get("settings"):
        words.append(visible(about["settings"]))
    line = request_line(group.example)
    if line and len(line) <= _LONGEST:
        return f"{' '.join(words)} --objects - <<'REQUEST'\n{line}\nREQUEST"
    if place := _PLACE.fullmatch(group.example.place):
        words.append(f"--objects {_word(place[1])}")
    elif about.get("seed"):
        words.append(f"--fuzz {_word(about.get('fuzz', ''))} --seed {_word(about['seed'])}")
    else:
        words += [f"--objects {_word(name)}" for name in shlex.split(about.get("objects", ""))]
    return " ".join(words)


def request_line(example: Example) -> str:
    """Returns the example as a request of the line protocol, in ASCII; `""` if its type is unknown."""
    if not example.request.get("kind"):
        return ""
    request = Request.of_line(example.request | {"obj": example.obj, "oldObj": example.old, "options": example.options})
    line: dict[str, Any] = request.as_line(1)
    try:
        return json.dumps(line)
    except RecursionError:  # JSON that is nested too deeply for the encoder
        return go_json(line)


def _word(text: str) -> str:
    return shlex.quote(visible(text))
