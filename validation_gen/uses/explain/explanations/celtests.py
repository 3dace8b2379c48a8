"""Codes about tests of CEL rules, which `cel test` runs."""

from __future__ import annotations

from validation_gen.uses.explain.explanations.base import Explanation, Sample

_TEST = "validation-gen cel test arms.celtest.yaml --format github"
_COVERED = f"{_TEST} --min-coverage 100"
_RULE = """\
schema: {type: object, properties: {reach: {type: integer}, most: {type: integer}}}
rules:
  - {rule: self.reach <= self.most, message: no arm reaches farther than most}
cases:
"""
_HOLDS = "  - {value: {reach: 4, most: 5}, valid: true}\n"
_FAILS = """\
  - value: {reach: 7, most: 5}
    errors: [{message: no arm reaches farther than most}]
"""


def _sample(text: str, command: str = _TEST) -> Sample:
    return Sample(files={"arms.celtest.yaml": text}, command=command)


EXPLANATIONS = {
    "VG810": Explanation(
        "`cel test` has run a case, and the API server would say something else than the case expects. "
        "`--format full` says it line by line.",
        _sample(_RULE + _HOLDS.replace("4", "7")),
        _sample(_RULE + _HOLDS),
    ),
    "VG811": Explanation(
        "`--min-coverage` asks for rules that cases see both hold and fail. A rule that no case sees fail may hold "
        "always, and one that no case sees hold may refuse everything.",
        _sample(_RULE + _HOLDS, _COVERED),
        _sample(_RULE + _HOLDS + _FAILS, _COVERED),
    ),
    "VG912": Explanation(
        "A key that is misspelt would be skipped in silence, and a case that expects nothing would pass. docs/cel.md "
        "says what may stand in such a file. It names files of its own project only.",
        _sample(_RULE + _HOLDS.replace("valid", "vaild")),
        _sample(_RULE + _HOLDS),
    ),
}
