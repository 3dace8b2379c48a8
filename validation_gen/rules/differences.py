"""Differences between schemas and validators by name, with their explanations, and samples of refused objects.

Rules name those of their tag; a rule that names none is exact. The others are in `GENERAL`, which depend on the place
of any tag, and in `OF_ERRORS`, which do not change the verdict. This module does not affect schemas.
`tests/emit/schema` compares the declarations with an API server's verdict. `make docs` runs the samples of objects that
a tag refuses; `commands/explain/errors.json` has their errors.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class Fidelity(enum.Enum):
    """Verdict of a schema compared with that of the validators. The values are words for tables."""

    EXACT = "exact"
    STRICTER = "stricter"
    LOOSER = "looser"
    NOT_EXPRESSIBLE = "not expressible"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of the verdict, or of its errors.

    `effects` is its effect on the verdict; with none it only changes the reported errors. `text` are the sentences that
    explain it.
    """

    name: str
    effects: tuple[Fidelity, ...]
    text: str

    @property
    def anchor(self) -> str:
        return self.name.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class SchemaForm:
    """Form of a tag in a schema. `form` is the idiomatic form, `exact_form` what the exact manner adds.

    `idiomatic` and `exact` are the differences from validators in each manner. Differences that depend on the place of
    a tag are in `rules.differences`.
    """

    form: str
    idiomatic: tuple[Difference, ...] = ()
    exact: tuple[Difference, ...] = ()
    exact_form: str = ""


def summary(found: tuple[Difference, ...]) -> tuple[Fidelity, ...]:
    """Returns the total effect of differences on a verdict."""
    effects = {effect for difference in found for effect in difference.effects}
    return tuple(fidelity for fidelity in Fidelity if fidelity in effects) or (Fidelity.EXACT,)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Go declarations of one package, of which the first is a struct with the tag, and an object that the tag refuses.

    The object, and the old one of an update, are JSON. `options` are those of the request. `custom` is a Python module
    with handwritten checks, for the tags that need one.
    """

    go: str
    object: str
    old: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    custom: str = ""


def of_field(comment: str, field: str, object: str, *, more: str = "", old: str = "", **options: bool) -> Refusal:
    """Builds a sample with one field in a struct, and further declarations after it."""
    lines = "".join(f"    // {line}\n" for line in comment.splitlines())
    rest = f"\n{more.strip(chr(10))}\n" if more else ""
    return Refusal(f"type Robot struct {{\n{lines}    {field}\n}}\n{rest}", object, old, options)


_STRICTER, _LOOSER, _NOT = Fidelity.STRICTER, Fidelity.LOOSER, Fidelity.NOT_EXPRESSIBLE

# --- differences of single tags -------------------------------------------------------------------------------------

ABSENT_VALUES = Difference(
    "absent values",
    (_LOOSER,),
    "A keyword checks a present value. For validators an absent field by value has the zero value of its "
    "type, and they judge that: without `+k8s:optional` an absent list breaks `+k8s:minItems=1`, and an absent struct "
    "its own rules. The exact manner adds a rule in CEL to the object around.",
)
ZEROS_REFUSED = Difference(
    "zeros refused",
    (_STRICTER,),
    "For validators a field by value with its zero value is not set: `+k8s:optional` ignores it, and unions and "
    "dependencies do not count it. In the idiomatic form a field is set when it is present, so keywords check an "
    'explicit empty `""`, `0`, `false`, `[]` or `{}`, and rules count it.',
)
ZEROS_ACCEPTED = Difference(
    "zeros accepted",
    (_LOOSER,),
    "The reverse: an explicit zero value satisfies `required`, the rule of a union, or the field that depends on it, "
    "although validators treat it as unset. `minLength: 1` and `minItems: 1` prevent that for texts and lists; "
    "numbers, booleans and maps have no such keyword.",
)
RULES_AGAIN = Difference(
    "rules judged again",
    (_STRICTER,),
    "Validators skip values that an update does not change. A rule in CEL at an object runs again when any part of the "
    "object changes. In the exact form such rules read the old object (`optionalOldSelf`), and pass for unchanged "
    "values.",
)
CHARACTERS = Difference(
    "characters",
    (_LOOSER,),
    "`maxLength` counts characters, so a text with characters of several bytes may be longer than the limit. The exact "
    "form counts bytes in CEL.",
)
LENGTHS_OF_PARTS = Difference(
    "lengths of parts",
    (_LOOSER,),
    "A pattern that limits the length of a part beside its characters is unreadable. The idiomatic form limits the "
    "length of the whole text, in characters. The exact form limits the parts in CEL.",
)
KEPT_UNIQUENESS = Difference(
    "kept uniqueness",
    (_STRICTER,),
    "`x-kubernetes-list-type` controls how clients merge a list, and API servers refuse duplicates in sets and maps "
    "with it. There is no list type for merging alone, so duplicates are refused even if a tag leaves them to other "
    "code, or is on trial.",
)
SEMANTIC_EQUALITY = Difference(
    "semantic equality",
    (_LOOSER,),
    "Validators compare items as Go values: an absent member equals its zero value, and the quantities `1` and `1000m` "
    "are the same. API servers compare the written values, and treat such items as different.",
)
UNIONS_OF_ITEMS = Difference(
    "unions of items",
    (_STRICTER,),
    "A union of list items runs again whenever the list changes, also if the items of the union do not. The size of an "
    "old list is unknown, so a rule in CEL that reads both costs too much.",
)
NULL_UNIONS = Difference(
    "null unions",
    (_LOOSER,),
    "Validators check a union of a type also when a pointer to that type is null and nothing, such as `+k8s:optional`, "
    "stops them. No member is set then, which is an error. A schema checks the members of an existing object only.",
)
WHOLE_OBJECT = Difference(
    "whole object",
    (_LOOSER,),
    "On a kind itself the tag refuses every update, as in Kubernetes. The schema compares old and new object, and an "
    "update that changes only the metadata passes.",
)
NEW_PARTS = Difference(
    "new parts",
    (_LOOSER,),
    "A transition rule runs only if old and new value exist. For a part that appears together with an object, an item "
    "or a key around it, the exact form adds a rule further up, which is left out if it costs too much or if the part "
    "has no name there. The idiomatic form has no such rule.",
)
ON_TRIAL = Difference(
    "stopped on trial",
    (_STRICTER,),
    "Rules on trial are left out, as their errors refuse nothing; `--level alpha` includes them. A rule on trial that "
    "stops validators still stops the others of its field: `+k8s:alpha=+k8s:optional` ignores an unset field. A schema "
    "checks that field.",
)
OPTIONS = Difference(
    "options",
    (_NOT,),
    "A schema does not know the options of a request. `--option` sets their state when the schema is made; an option "
    "without one is off. For requests with these options the schema has the rule of the chained tag.",
)
HANDWRITTEN = Difference(
    "handwritten",
    (_NOT,),
    "A function in Go or Python has no schema. An admission webhook, or the validators in a controller, can run it.",
)
FIXED_RESULTS = Difference(
    "fixed results",
    (_STRICTER, _LOOSER),
    "The tag is for tests of generators. It becomes `false` in CEL; a schema ignores its flags and cohorts, and an "
    "absent struct does not fail.",
)

# --- differences by place --------------------------------------------------------------------------------------------

UNCORRELATED = Difference(
    "uncorrelated items",
    (_STRICTER,),
    "On an update API servers find the old counterpart of an item only in lists with `x-kubernetes-list-type: map`. "
    "Values below an item of any other list are checked again when the list changes, also if the item existed before. "
    "The same applies below maps and structs with `x-kubernetes-map-type: atomic`. Validators correlate the items of "
    "sets, and those of lists with `+k8s:unique`, too.",
)
WRITTEN_OTHERWISE = Difference(
    "written otherwise",
    (_STRICTER,),
    "An API server treats a value as changed when it is written differently: an explicit zero value in the place of an "
    "absent one, or the quantity `1` in the place of `1000m`. Validators compare Go values, for which these are the "
    "same, and skip them. So an update can fail for a keyword or for `+k8s:immutable` although nothing has changed for "
    "Go. The exact form compares a quantity with `+k8s:immutable` or `+k8s:update=NoModify` by its amount.",
)
ORDER = Difference(
    "order of items",
    (_LOOSER,),
    "For rules in CEL two sets, or two lists that are maps, are equal if they have the same items in any order. So an "
    "update that only reorders items passes `+k8s:immutable`. Validators compare the order.",
)
OLD_DUPLICATES = Difference(
    "old duplicates",
    (_LOOSER,),
    "While the old object has duplicates in any set or map, API servers do not search the new one for duplicates. "
    "Validators check every changed list.",
)
AMBIGUOUS = Difference(
    "ambiguous items",
    (_STRICTER, _LOOSER),
    "If several items of a list have the same keys, API servers and validators choose different ones of them as the "
    "old counterpart. Such a list is invalid in itself, but an old object can have one.",
)
RECURSION = Difference(
    "recursion",
    (_LOOSER,),
    "Schemas of custom resources cannot refer to themselves. A recursive type is an object with "
    "`x-kubernetes-preserve-unknown-fields: true` there, and nothing below is checked.",
)
TOO_COSTLY = Difference(
    "too costly",
    (_STRICTER, _LOOSER),
    "API servers estimate the maximum cost of a rule in CEL, and refuse definitions whose rules cost too much. The "
    "generator makes the same estimate. A rule that exceeds the limit is replaced by a form without the old object, "
    "which checks unchanged values again, and if that exceeds it too, the schema omits the rule. The finding `VG541` "
    "names the tag and the parts without a limit: limits on lists, maps and texts make rules cheap.",
)
LEFT_OUT = Difference(
    "left out",
    (_NOT,),
    "The finding `VG540` names each tag that a schema omits for another reason. `[]byte` is one text in JSON, whose "
    "parts cannot be counted or compared. CEL cannot name fields with some characters in their names, nor fields of "
    "any type. Of metadata a schema can restrict `name` and `generateName` only. `+k8s:update` and `+k8s:monotonic` on "
    "items need lists whose items API servers can match. For the keys of a map there are rules for values, and no "
    "others. A union in a selected part cannot be expressed.",
)
STILL_REQUIRED = Difference(
    "still required",
    (_STRICTER,),
    "`required` is checked again when the object around changes, also if the field was absent before. In the exact "
    "form a rule with the old object replaces it, unless CEL cannot name the field or the rule would cost too much, "
    "and except for the keys of list items.",
)
WIDTH = Difference(
    "width of numbers",
    (_STRICTER,),
    "API servers keep integers in 64 bits with a sign, and refuse a `uint64` that is larger.",
)
QUANTITIES = Difference(
    "quantities",
    (_STRICTER,),
    "In a custom resource a quantity is a text or an integer. Validators also read a number with a fraction (`1.5`), "
    "blanks other than spaces around a text, and exponents of more than 18 digits. The idiomatic form has the usual "
    "pattern for quantities, which refuses spaces around a text and texts without digits (`k` is zero).",
)
EXPONENTS = Difference(
    "exponents with a fraction",
    (_LOOSER,),
    "The usual pattern for quantities, which the idiomatic form has, accepts `1e2.5`. No program can read that.",
)
WIDTH_OF_EITHER = Difference(
    "width of int-or-string",
    (_LOOSER,),
    "An `IntOrString` that is a number has 32 bits. The idiomatic form accepts wider ones, like most definitions. The "
    "exact form has the limits.",
)
ITEMS_TOGETHER = Difference(
    "items together",
    (_STRICTER,),
    "A tag behind `+k8s:eachVal=+k8s:subfield(x)=` ignores unset members if `x` is optional. In validators one such "
    "item stops all rules about the items of its list or map. In a schema each item is checked on its own.",
)
ALWAYS_WRITTEN = Difference(
    "always written",
    (_STRICTER,),
    "In the idiomatic form a field without `omitempty` is required, since clients in Go always write it. `format: "
    "byte` refuses the empty text. Validators accept both.",
)

#: Differences of any tag, in both manners.
GENERAL = (
    UNCORRELATED,
    WRITTEN_OTHERWISE,
    STILL_REQUIRED,
    ORDER,
    OLD_DUPLICATES,
    AMBIGUOUS,
    RECURSION,
    TOO_COSTLY,
    LEFT_OUT,
    WIDTH,
    QUANTITIES,
)

#: Differences of any tag in the idiomatic manner only.
GENERAL_IDIOMATIC = (ALWAYS_WRITTEN, EXPONENTS, WIDTH_OF_EITHER)

# --- differences of errors, which do not change the verdict ----------------------------------------------------------

#: Different reports of the two sides about an object that both refuse.
OF_ERRORS = (
    Difference(
        "types of rules",
        (),
        "A rule in CEL reports Invalid, Required, Forbidden or Duplicate. Other types become Invalid, and so do TooFew "
        "and TooShort, which API servers do not have: they report Invalid for `minItems` and `minLength`.",
    ),
    Difference(
        "rules not run",
        (),
        "API servers run no rules in CEL on an object for which keywords report an error other than Invalid. They "
        "report that some rules were not checked. Validators report all errors.",
    ),
    Difference(
        "stopping rules",
        (),
        "In validators some rules stop the rest, such as `+k8s:maxItems`, `+k8s:required` and `+k8s:immutable`. "
        "Nothing stops keywords: they report errors below as well. If several rules stop a field, validators report "
        "each of them, and a schema one.",
    ),
    Difference(
        "path of items",
        (),
        "A rule in CEL points to a field, and never to an item or key. The error of a rule about items that is at "
        "their list or map is there, too, one for all items.",
    ),
    Difference("duplicates once", (), "API servers report an item that is there several times once."),
    Difference(
        "all of", (), "Keywords that cannot be joined are below `allOf`, for which API servers report a second error."
    ),
    Difference("alpha", (), "Validators report errors of rules on trial with the level `alpha`. They refuse nothing."),
)
