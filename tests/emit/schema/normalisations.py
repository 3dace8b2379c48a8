"""Why an API server and the validators may report different errors for the same object, one reason at a time.

Each reason has the name of a difference in `validation_gen.rules.differences`, where it is explained, and decides of a
single error whether it is the cause. Errors that no reason explains are differences that nobody knows of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tests.emit.schema.places import Old, Place
from validation_gen.runtime.errors import FieldError

#: What rules in CEL can report.
_OF_RULES = {"FieldValueInvalid", "FieldValueRequired", "FieldValueForbidden", "FieldValueDuplicate"}
_TRANSITION = re.compile(r"\+k8s:(immutable|monotonic|update)\b")


@dataclass(frozen=True, slots=True)
class Theirs:
    """An error of the API server."""

    type: str
    place: Place
    detail: str


@dataclass(frozen=True, slots=True)
class Mine:
    """An error of the validators."""

    type: str
    place: Place
    error: FieldError

    @property
    def on_trial(self) -> bool:
        return self.error.level == "alpha"


One = Mine | Theirs


@dataclass(frozen=True, slots=True)
class View:
    """One judgement of both sides, and what is known of the schema and of the old object."""

    update: bool
    blocked: bool
    mine: Sequence[Mine]
    theirs: Sequence[Theirs]
    left_out: frozenset[str]
    old_duplicates: bool

    def others(self, one: One) -> Sequence[One]:
        """The errors of the other side. Those on trial are as good as none."""
        return self.theirs if isinstance(one, Mine) else [m for m in self.mine if not m.on_trial]

    def at(self, one: One) -> list[One]:
        """The errors of the other side at the same place."""
        return [o for o in self.others(one) if o.place.steps == one.place.steps]

    def agreed(self, one: One) -> bool:
        return any(o.type == one.type for o in self.at(one))

    def is_stopped(self, one: Theirs, *, on_trial: bool) -> bool:
        """Whether validators have not come to a place, as a rule at or above it stops them."""
        for mine in self.mine:
            if mine.error.short_circuit and mine.on_trial == on_trial:
                # A rule of the items stops the list.
                stop = mine.place.steps[:-1] if mine.place.element else mine.place.steps
                if one.place.steps in (mine.place.steps, stop) or one.place.is_below(stop):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class Normalisation:
    """A reason. Where there are `tags`, it counts only for types on which one of these stands."""

    name: str
    explains: Callable[[One, View], bool]
    tags: tuple[str, ...] = ()

    def counts(self, tags: Collection[str]) -> bool:
        return not self.tags or any(tag in tags for tag in self.tags)


def _mine(test: Callable[[Mine, View], bool]) -> Callable[[One, View], bool]:
    return lambda one, view: isinstance(one, Mine) and test(one, view)


def _theirs(test: Callable[[Theirs, View], bool]) -> Callable[[One, View], bool]:
    return lambda one, view: isinstance(one, Theirs) and test(one, view)


# --- reasons of errors ----------------------------------------------------------------------------------------------


def _types_of_rules(one: One, view: View) -> bool:
    """One side has a type that rules in CEL cannot have, and the other has Invalid."""
    types = {o.type for o in view.at(one)}
    if isinstance(one, Mine):
        return one.type not in _OF_RULES and "FieldValueInvalid" in types
    return one.type == "FieldValueInvalid" and bool(types - _OF_RULES)


def _stopping_rules(one: One, view: View) -> bool:
    if isinstance(one, Theirs):
        return view.is_stopped(one, on_trial=False)
    return one.error.short_circuit and bool(view.at(one))


def _path_of_items(one: One, view: View) -> bool:
    """An error at an item, or below one, that the other side has at the list or map."""
    pairs = [(one, other) if isinstance(one, Mine) else (other, one) for other in view.others(one)]
    return any(
        isinstance(part, Mine)
        and part.type == whole.type
        and bool(whole.place.container)
        and part.place.is_below(whole.place.steps)
        and (part.type == "FieldValueDuplicate" or bool(_TRANSITION.search(part.error.tag)))
        for part, whole in pairs
    )


def _duplicates_once(one: Mine, view: View) -> bool:
    lists = [t.place.list for t in view.theirs if t.type == "FieldValueDuplicate"]
    return one.type == "FieldValueDuplicate" and one.place.list in lists


# --- reasons of verdicts --------------------------------------------------------------------------------------------


def _width(one: Theirs, view: View) -> bool:
    return "must be of type integer" in one.detail or "expected int, got float64" in one.detail


def _ambiguous(one: One, view: View) -> bool:
    moved = isinstance(one, Mine) and one.place.element and bool(_TRANSITION.search(one.error.tag))
    return one.place.twice or (view.old_duplicates and moved)


def _new_parts(one: Mine, view: View) -> bool:
    is_new = one.place.before is Old.ABSENT or (one.place.element and one.place.old is Old.ABSENT)
    return view.update and is_new and bool(_TRANSITION.search(one.error.tag))


def _absent_before(one: Mine, view: View) -> bool:
    """A change of what a definition requires, and what an old object lacks all the same."""
    moved = bool(_TRANSITION.search(one.error.tag))
    return view.update and moved and one.place.required and one.place.old is Old.ABSENT


def _whole_object(one: Mine, view: View) -> bool:
    return view.update and not one.place.steps and "+k8s:immutable" in one.error.tag


def _null_unions(one: Mine, view: View) -> bool:
    return one.place.absent and "union" in one.error.tag.lower()


def _still_required(one: Theirs, view: View) -> bool:
    return view.update and one.type == "FieldValueRequired" and one.place.absent and one.place.same


def _unions_of_items(one: Theirs, view: View) -> bool:
    is_list = one.place.container in ("map", "atomic") and one.place.old is not Old.LOST
    return view.update and is_list and one.type == "FieldValueInvalid"


def _kept_items(one: Theirs, view: View) -> bool:
    return view.update and one.place.kept and one.type == "FieldValueInvalid"


def _items_together(one: Theirs, view: View) -> bool:
    """One item has stopped the rules about all: the validators report nothing at the list or below it."""
    return _is_silent(one.place.list or one.place.steps[:-2], view)


def _list_together(one: Theirs, view: View) -> bool:
    """The same of an error at the list itself, of a rule about all items."""
    return one.place.container == "map" and _is_silent(one.place.steps, view)


def _is_silent(whole: Sequence[str], view: View) -> bool:
    """Returns whether the validators report nothing at a place or below it."""
    return bool(whole) and not any(m.place.steps[: len(whole)] == whole for m in view.mine)


def _judged_again(one: Theirs, view: View) -> bool:
    is_rule = "in body" not in one.detail
    return view.update and is_rule and one.type in _OF_RULES


_EXACT = (
    Normalisation("alpha", _mine(lambda one, view: one.on_trial)),
    Normalisation("handwritten", _mine(lambda one, view: "customValidation" in one.error.tag)),
    Normalisation("left out", _mine(lambda one, view: one.error.rule.place in view.left_out)),
    Normalisation("recursion", _mine(lambda one, view: one.place.cut)),
    Normalisation("rules not run", _mine(lambda one, view: view.blocked)),
    Normalisation("types of rules", _types_of_rules),
    Normalisation("stopping rules", _stopping_rules),
    Normalisation("path of items", _path_of_items),
    Normalisation("all of", _theirs(lambda one, view: "must validate all the schemas" in one.detail)),
    Normalisation("duplicates once", _mine(_duplicates_once)),
    Normalisation("width of numbers", _theirs(_width)),
    Normalisation("old duplicates", _mine(lambda one, view: view.old_duplicates and one.type == "FieldValueDuplicate")),
    Normalisation("ambiguous items", _ambiguous),
    Normalisation("ambiguous items", _theirs(lambda one, view: bool(one.place.list)), ("k8s:customUnique",)),
    Normalisation("order of items", _mine(lambda one, view: view.update and one.place.reordered)),
    Normalisation("new parts", _mine(_new_parts), ("k8s:immutable", "k8s:update")),
    Normalisation("whole object", _mine(_whole_object)),
    Normalisation("uncorrelated items", _theirs(lambda one, view: view.update and one.place.old is Old.LOST)),
    Normalisation(
        "kept uniqueness",
        _theirs(lambda one, view: one.type == "FieldValueDuplicate"),
        ("k8s:alpha", "k8s:customUnique", "k8s:opaqueType"),
    ),
    Normalisation(
        "semantic equality",
        _mine(lambda one, view: one.type == "FieldValueDuplicate"),
        ("k8s:listMapKey", "k8s:listType", "k8s:unique"),
    ),
    Normalisation("still required", _theirs(_still_required)),
)
#: The widest come last.
_LAST = (
    Normalisation("written otherwise", _theirs(lambda one, view: view.update and one.place.same)),
    Normalisation("written otherwise", _theirs(lambda one, view: view.update and one.place.filled), ("arrays",)),
    Normalisation("written otherwise", _theirs(_kept_items), ("k8s:listType", "k8s:unique")),
    Normalisation("items together", _theirs(_items_together), ("k8s:subfield",)),
    Normalisation("unions of items", _theirs(_unions_of_items), ("k8s:unionMember", "k8s:zeroOrOneOfMember")),
    Normalisation("items together", _theirs(_list_together), ("k8s:subfield",)),
    Normalisation(
        "null unions",
        _mine(_null_unions),
        ("k8s:unionMember",),
    ),
    Normalisation("stopped on trial", _theirs(lambda one, view: True), ("k8s:alpha",)),
    Normalisation("fixed results", lambda one, view: True, ("k8s:validateFalse",)),
)
_IDIOMATIC = (
    Normalisation("always written", _theirs(lambda one, view: one.type == "FieldValueRequired" and one.place.absent)),
    Normalisation("absent values", _mine(lambda one, view: one.place.absent)),
    Normalisation("absent values", _mine(_absent_before)),
    Normalisation("rules judged again", _theirs(lambda one, view: _judged_again(one, view) and one.place.unchanged)),
    Normalisation("written otherwise", _theirs(lambda one, view: view.update and one.place.same)),
    Normalisation("zeros refused", _theirs(lambda one, view: one.place.zeros)),
    Normalisation("zeros accepted", _mine(lambda one, view: one.place.zeros)),
    Normalisation("rules judged again", _theirs(_judged_again)),
)

#: What is tried in either manner, in this order.
IN_EXACT = (*_EXACT, *_LAST)
IN_IDIOMATIC = (*_EXACT, *_IDIOMATIC, *_LAST)
