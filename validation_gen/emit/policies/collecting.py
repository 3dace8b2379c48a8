"""Collects the validations of one kind: conditions on values become conditions on the whole object, with messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from validation_gen.emit.checkwalk import CheckWalk
from validation_gen.emit.policies import fields, messages
from validation_gen.emit.policies.messages import Words
from validation_gen.emit.policies.value_ref import ROOT, Frame, ValueRef
from validation_gen.emit.schema.expressions import Member, join_all, join_any, negate
from validation_gen.ir import ByKeys, ByValue, Check, Match, Shape, TagRef
from validation_gen.kubernetes.cel.tree import RESERVED

#: From how many characters on a condition is worth a variable.
_LONG = 120


@dataclass(frozen=True, slots=True)
class Validation:
    """One validation of a policy: an expression that holds for a valid object, and the message for others.

    Attributes:
        expression: holds for a valid object.
        message: the error, without values and list positions.
        message_expression: the full error; `""` if that is the same, or if it is about items of a list.
        listing: an expression for the errors of all items; it is empty for valid items.
        name: prefix of its variables.
        tag: origin of the validation.
    """

    expression: str
    message: str
    message_expression: str
    listing: str
    name: str
    tag: TagRef


@dataclass(slots=True)
class Collector(CheckWalk):
    """Collects validations, and rules that no policy can express."""

    found: list[Validation] = field(default_factory=list)
    #: Long conditions that several validations may share, and names for variables with them.
    shared: dict[str, str] = field(default_factory=dict)
    #: The frame in which conditions hold: the whole object, or the items around a list whose gates are searched.
    frame: Frame = ROOT

    def put(
        self,
        check: Check,
        ref: ValueRef,
        condition: str,
        words: Words,
        *,
        unchanged: str | None = None,
        listing: str = "",
    ) -> None:
        """Adds a validation: the condition must hold for the value, unless an update leaves the value unchanged.

        `listing`: an expression for the texts of the invalid parts of the value.
        """
        if "false" in ref.gates:
            return
        if unchanged is None:
            unchanged = self.unchanged(ref)
        inner = join_any(condition, unchanged) if condition != "false" or not unchanged else unchanged
        whole = ref.demanded(inner, self.frame)
        if whole == "true":
            return
        message = ""
        if ref.frame.container is None:
            message = "" if listing else messages.expression(ref, words)
        else:
            listing = messages.listing(ref, words, join_any(*map(negate, ref.gates), inner))
        text = messages.text(ref, words)
        name = _to_name(messages.path(ref))
        whole = " ||\n".join(messages.alternatives(whole))
        self.found.append(Validation(whole, text, message, listing, name, check.tag))

    def unchanged(self, ref: ValueRef) -> str:
        """Returns the CEL condition 'value unchanged', empty if not expressible."""
        base = ref.frame.base
        members = ref.besides
        if ref.is_object:  # the whole object is always validated
            return ""
        if ref.frame.by_value and not ref.steps and not ref.besides:
            return ref.before(lambda old: "true")
        if ref.inlined is not None:
            own = (self.find_member(ref.shape, name) for name in ref.inlined)
            members = (*members, *(Member((*ref.steps, *m.steps), m.shape) for m in own))
        else:
            members = (*members, ref.member)
        found = ref.before(lambda old: join_all(*(fields.equal(self.program, m, base, old) for m in members)))
        if ref.frame.container is None and len(found) > _LONG:
            self.shared.setdefault(found, f"{_to_name(messages.path(ref))}_unchanged")
        return found

    def same_items(self, match: Match | None, elem: Shape) -> Callable[[str, str], str] | None:
        """Returns a function for the condition that two items match, `None` if there is none."""
        if isinstance(match, ByKeys):
            keys = match.keys
            return lambda one, other: join_all(*(fields.same_key(key, elem, one, other) for key in keys))
        if isinstance(match, ByValue):
            return lambda one, other: fields.equal(self.program, Member((), elem), one, other)
        return None


def _to_name(path: str) -> str:
    """Returns a name for a variable about a place. A reserved word, or one with a leading digit, gets an underscore."""
    name = re.sub(r"\W+", "_", path, flags=re.ASCII).strip("_") or "object"
    return f"_{name}" if name in RESERVED or name[0].isdigit() else name
