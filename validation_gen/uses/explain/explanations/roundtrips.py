"""Codes about conversions between versions, which `conversions check` finds."""

from __future__ import annotations

from validation_gen.uses.explain.explanations.base import Explanation, Sample

_CHECK = "validation-gen conversions check robots.yaml --with conversions.py --cases 30 --format github"
_DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: robots.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: robots, kind: Robot}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {arms: {type: integer}}}}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {%s}}}
"""
_FIVE = "arms: {type: integer, maximum: 5}"
_SAME = "arms: {type: integer}"
_MOVES = """\
from validation_gen.conversions import Conversion, Only, Rename

ROBOT = Conversion("v1", "v2", kind="Robot", moves=[%s])
"""
_FUNCTIONS = """\
from validation_gen.conversions import converts

calls = []


@converts("v1", "v2", kind="Robot")
def up(robot):
    return robot


@converts("v2", "v1", kind="Robot", keeps=["spec.arms"])
def down(robot):
    calls.append(robot)
    %s
"""
_FEWER = """\
from validation_gen.conversions import Conversion


def fewer(new, old):
    if new.get("spec", {}).get("arms", 0) > 5:
        new["spec"]["arms"] = 5


ROBOT = Conversion("v1", "v2", kind="Robot", keeps=["spec.arms"], forward=fewer)
"""


def _sample(conversions: str, fields: str = _SAME) -> Sample:
    return Sample(files={"robots.yaml": _DEFINITION % fields, "conversions.py": conversions}, command=_CHECK)


def _functions(down: str) -> Sample:
    return _sample(_FUNCTIONS % down)


EXPLANATIONS = {
    "VG640": Explanation(
        "A field of one version is not converted: a server drops what the other version does not have, and what is not "
        "named may have been forgotten. If it has no counterpart, say so with `Only` or `keeps`; it is kept in an "
        "annotation then. `--format full` shows an object.",
        _sample(_MOVES % 'Only("v2", "spec.hands")', "hands: {type: integer}"),
        _sample(_MOVES % 'Rename("spec.arms", "hands")', "hands: {type: integer}"),
    ),
    "VG641": Explanation(
        "What a conversion makes of a valid object is not valid in the other version. Who reads it there cannot write "
        "it back, and it may break programs that rely on the rules.",
        _sample(_MOVES % "", _FIVE),
        _sample(_FEWER, _FIVE),
    ),
    "VG642": Explanation(
        "A conversion has refused an object that is valid in its version, or has broken on it. A server then cannot "
        "give it to anybody who asks for the other version, and no list that it is in.",
        _sample(_FEWER.replace('new["spec"]["arms"] = 5', 'raise ValueError("too many arms")'), _FIVE),
        _sample(_FEWER, _FIVE),
    ),
    "VG643": Explanation(
        "An object was converted and back, and is not what it was, though nothing was changed meanwhile. A conversion "
        "must make the same of the same object each time: it knows no time, no chance and no earlier objects.",
        _functions('robot.setdefault("spec", {}).update(arms=len(calls)) if len(calls) == 2 else None'),
        _functions("return robot"),
    ),
}
