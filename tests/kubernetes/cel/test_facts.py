"""Rules are judged as a real API server has judged them.

`facts.json` says what it answered to each of the rules in `samples`: a cost, or why it does not take the rule. To
measure again, after samples were added or another release is the measure:

    VALIDATION_GEN_APISERVER=… python -m pytest tests/kubernetes/cel/test_facts.py --update
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.apiserver import ApiServer
from tests.apiserver.test_apiserver import definition
from tests.kubernetes.cel.samples import MISTAKES, RULES, SCHEMA
from tests.tables import each
from validation_gen.kubernetes.cel import Scope, compile_rule

_FILE = Path(__file__).with_name("facts.json")
_SPEC = Scope({"type": "object", "properties": {"spec": SCHEMA}}).child("spec")

#: A cost, or a message. The server finds more mistakes behind one of syntax; here the first is all.
Fact = int | str


def _facts() -> dict[str, Fact]:
    facts: dict[str, Fact] = json.loads(_FILE.read_text())
    return facts


def _message(text: str) -> str:
    text = re.sub(r"selfType\d+", "selfType", text)
    text = re.sub(r"\n \| \.*\^", "", text)  # where the mark stands depends on the length of the name before it
    first, *others = text.split("\nERROR: ")
    return first if "Syntax error" in first else "\nERROR: ".join([first, *others])


def _judged(rule: str) -> Fact:
    compiled = compile_rule(rule, _SPEC)
    return _message(compiled.error) or compiled.cost


@each("rule", RULES)
def test_judgement(rule: str) -> None:
    assert _judged(rule) == _facts()[rule]


def test_mistakes_are_told() -> None:
    facts = _facts()
    assert [rule for rule in MISTAKES if not isinstance(facts[rule], str)] == []
    assert [rule for rule in RULES if rule not in MISTAKES and not isinstance(facts[rule], int)] == []


def test_the_facts_are_those_of_the_server(apiserver: ApiServer, update: bool) -> None:
    rules = [{"rule": rule, "message": "wrong"} for rule in RULES]
    crd = definition(**{**SCHEMA, "x-kubernetes-validations": rules})
    costs = {cost.rule: _message(cost.error) or cost.cost for cost in apiserver.costs(crd).rules}
    if update:
        _FILE.write_text(json.dumps(costs, indent=1, ensure_ascii=False) + "\n")
    assert costs == _facts()
