"""Every tag says how schemas say it. Whether that is true is asked in tests/emit/schema/test_equivalence.py."""

from __future__ import annotations

from tests.tables import each
from validation_gen.rules.base import Rule
from validation_gen.rules.differences import GENERAL, GENERAL_IDIOMATIC, OF_ERRORS, Fidelity, SchemaForm, summary
from validation_gen.rules.registry import catalogue

each_rule = each("rule", catalogue().values(), ids=list(catalogue()))


@each_rule
def test_a_rule_declares_it_itself(rule: Rule) -> None:
    assert isinstance(vars(type(rule)).get("schema"), SchemaForm), "what a base class says cannot be true of all tags"
    assert rule.schema.form


@each_rule
def test_a_rule_names_what_comes_from_it_and_decides(rule: Rule) -> None:
    for differences in (rule.schema.idiomatic, rule.schema.exact):
        assert len(differences) == len(set(differences))
        assert all(difference.effects for difference in differences)
        assert not {*differences} & {*GENERAL, *GENERAL_IDIOMATIC, *OF_ERRORS}


def test_names_are_used_once() -> None:
    declared = {d for rule in catalogue().values() for d in (*rule.schema.idiomatic, *rule.schema.exact)}
    every = [*declared, *GENERAL, *GENERAL_IDIOMATIC, *OF_ERRORS]
    assert len({difference.name for difference in every}) == len(every)
    assert all(difference.text.endswith(".") for difference in every)


def test_differences_are_summed_up() -> None:
    assert summary(()) == (Fidelity.EXACT,)
    assert summary(GENERAL) == (Fidelity.STRICTER, Fidelity.LOOSER, Fidelity.NOT_EXPRESSIBLE)
