"""Differences between schemas and validators by name, with the sentences that explain them.

Rules name those of their tag. The others are in `GENERAL`, which depend on the place of any tag, and in `OF_ERRORS`,
which do not change the verdict. This module does not affect schemas.
"""

from __future__ import annotations

from validation_gen.rules.fidelity import Difference, Fidelity

_STRICTER, _LOOSER, _NOT = Fidelity.STRICTER, Fidelity.LOOSER, Fidelity.NOT_EXPRESSIBLE

# --- differences of single tags -------------------------------------------------------------------------------------

ABSENT_VALUES = Difference(
    "absent values",
    (_LOOSER,),
    "A keyword judges a value that is there. For validators a field by value that is absent has the zero value of its "
    "type, and they judge that: without `+k8s:optional` an absent list breaks `+k8s:minItems=1`, and an absent struct "
    "its own rules. The exact manner adds a rule in CEL to the object around.",
)
ZEROS_REFUSED = Difference(
    "zeros refused",
    (_STRICTER,),
    "For validators a field by value with its zero value is not set: `+k8s:optional` leaves it alone, and unions and "
    "dependencies do not count it. In the idiomatic manner a field is set when it is there, so that keywords judge an "
    'empty `""`, `0`, `false`, `[]` or `{}` that is written, and rules count it.',
)
ZEROS_ACCEPTED = Difference(
    "zeros accepted",
    (_LOOSER,),
    "The other side of the same: a zero value that is written satisfies `required`, the rule of a union, or the field "
    "that depends on it, although it is none for validators. For texts and lists `minLength: 1` and `minItems: 1` see "
    "to it; numbers, booleans and maps have nothing of the kind.",
)
RULES_AGAIN = Difference(
    "rules judged again",
    (_STRICTER,),
    "Validators do not look at what an update leaves as it was. A rule in CEL that stands at an object is judged again "
    "when any part of the object changes. In the exact manner such rules see the old object (`optionalOldSelf`), and "
    "pass what has not changed.",
)
CHARACTERS = Difference(
    "characters",
    (_LOOSER,),
    "`maxLength` counts characters, so that a text with characters of several bytes may be longer than the limit. The "
    "exact manner counts bytes in CEL.",
)
LENGTHS_OF_PARTS = Difference(
    "lengths of parts",
    (_LOOSER,),
    "A pattern that limits the length of a part beside its characters cannot be read. The idiomatic manner limits the "
    "length of the whole text, in characters. The exact manner limits the parts in CEL.",
)
KEPT_UNIQUENESS = Difference(
    "kept uniqueness",
    (_STRICTER,),
    "`x-kubernetes-list-type` says how clients merge a list, and API servers refuse duplicates in sets and maps with "
    "it. There is no list type for merging alone, so that duplicates are refused although a tag leaves them to "
    "others, or is on trial.",
)
SEMANTIC_EQUALITY = Difference(
    "semantic equality",
    (_LOOSER,),
    "Validators compare items as Go values: an absent member equals its zero value, and the quantities `1` and `1000m` "
    "are the same. API servers compare what is written, and take such items for different ones.",
)
UNIONS_OF_ITEMS = Difference(
    "unions of items",
    (_STRICTER,),
    "A union of list items is judged again whenever the list changes, also if the items of the union do not. Of an old "
    "list it is not known how large it may be, so that a rule in CEL which looks at both costs too much.",
)
NULL_UNIONS = Difference(
    "null unions",
    (_LOOSER,),
    "Validators ask a union of a type also when a pointer to that type is null and nothing, such as `+k8s:optional`, "
    "stops them. No member is set then, which is an error. A schema judges the members of an object that is there.",
)
WHOLE_OBJECT = Difference(
    "whole object",
    (_LOOSER,),
    "On a kind itself the tag refuses every update, as Kubernetes does. The schema compares old and new object, and an "
    "update that changes no more than the metadata passes.",
)
NEW_PARTS = Difference(
    "new parts",
    (_LOOSER,),
    "A transition rule is asked where old and new value are there. For a part that appears together with an object, an "
    "item or a key around it, the exact manner adds a rule further up, which is left out where it costs too much or "
    "where the part has no name there. The idiomatic manner has no such rule.",
)
ON_TRIAL = Difference(
    "stopped on trial",
    (_STRICTER,),
    "Rules on trial are left out, as their errors refuse nothing; `--level alpha` puts them in. A rule on trial that "
    "stops validators still stops the others of its field: `+k8s:alpha=+k8s:optional` leaves an unset field alone. A "
    "schema judges that field.",
)
OPTIONS = Difference(
    "options",
    (_NOT,),
    "A schema knows nothing of the options of a request. Whether an option is on is decided when the schema is made, "
    "with `--option`; one that is not named is off. For requests with these options the schema says what the chained "
    "tag says.",
)
HANDWRITTEN = Difference(
    "handwritten",
    (_NOT,),
    "A function in Go or Python has no schema. An admission webhook, or the validators in a controller, can run it.",
)
FIXED_RESULTS = Difference(
    "fixed results",
    (_STRICTER, _LOOSER),
    "The tag is for tests of generators. It becomes `false` in CEL; of its flags and cohorts a schema knows nothing, "
    "and an absent struct does not fail.",
)

# --- differences by place
# ----------------------------------------------------------------------------------------------

UNCORRELATED = Difference(
    "uncorrelated items",
    (_STRICTER,),
    "On an update API servers find the old counterpart of an item only in lists with `x-kubernetes-list-type: map`. "
    "What stands below an item of any other list is judged again when the list changes, also if the item was there "
    "before. The same holds below maps and structs with `x-kubernetes-map-type: atomic`. Validators correlate the "
    "items of sets, and those of lists with `+k8s:unique`, too.",
)
WRITTEN_OTHERWISE = Difference(
    "written otherwise",
    (_STRICTER,),
    "An API server takes a value for changed when it is written differently: a zero value where none was written, or "
    "the quantity `1` in the place of `1000m`. Validators compare Go values, for which these are the same, and do not "
    "look at them. So an update can fail for a keyword or for `+k8s:immutable` although nothing has changed for Go.",
)
ORDER = Difference(
    "order of items",
    (_LOOSER,),
    "For rules in CEL two sets, or two lists that are maps, are equal if they have the same items in any order. So an "
    "update that does no more than to put items into another order passes `+k8s:immutable`. Validators heed the order.",
)
OLD_DUPLICATES = Difference(
    "old duplicates",
    (_LOOSER,),
    "While the old object has duplicates in any set or map, API servers look for none in the new one. Validators let "
    "pass no list that has changed.",
)
AMBIGUOUS = Difference(
    "ambiguous items",
    (_STRICTER, _LOOSER),
    "Where several items of a list have the same keys, API servers and validators take different ones of them for the "
    "old counterpart. Such a list is invalid in itself, but an old object can have one.",
)
RECURSION = Difference(
    "recursion",
    (_LOOSER,),
    "Schemas of custom resources cannot refer to themselves. A type inside itself is an object with "
    "`x-kubernetes-preserve-unknown-fields: true` there, and nothing below is judged.",
)
TOO_COSTLY = Difference(
    "too costly",
    (_STRICTER, _LOOSER),
    "API servers estimate what a rule in CEL can cost at most, and refuse definitions whose rules cost too much. The "
    "generator makes the same estimate. A rule that does not fit gives way to a form without the old object, which "
    "judges again what an update leaves as it was, and if that does not fit either, the schema goes without it. The "
    "finding `VG541` names the tag and what has no limit: limits on lists, maps and texts make rules cheap.",
)
LEFT_OUT = Difference(
    "left out",
    (_NOT,),
    "The finding `VG540` names each tag that a schema goes without for another reason. `[]byte` is one text "
    "in JSON, of which nothing is counted or compared. CEL cannot name fields with some characters in their names, nor "
    "fields that may be anything. Of metadata a schema can say something of `name` and `generateName` only. "
    "`+k8s:update` and `+k8s:monotonic` on items need lists whose items API servers find again. For the keys of a map "
    "there are rules for values, and no others. A union in a selected part cannot be said.",
)
STILL_REQUIRED = Difference(
    "still required",
    (_STRICTER,),
    "`required` is judged again when the object around changes, also if the field was absent before. In the exact "
    "manner a rule with the old object takes its place, except where CEL cannot name the field, where the rule would "
    "cost too much, and for the keys of list items.",
)
WIDTH = Difference(
    "width of numbers",
    (_STRICTER,),
    "API servers keep integers in 64 bits with a sign, and refuse a `uint64` that is larger.",
)
QUANTITIES = Difference(
    "quantities",
    (_STRICTER,),
    "In a custom resource a quantity is a text or an integer. Validators read a number with a fraction (`1.5`), too, "
    "blanks other than spaces around a text, and longer exponents than of 18 digits. The idiomatic manner has the "
    "pattern that is usual for quantities, which refuses spaces around a text and texts without digits (`k` is zero).",
)
EXPONENTS = Difference(
    "exponents with a fraction",
    (_LOOSER,),
    "The pattern that is usual for quantities, which the idiomatic manner has, accepts `1e2.5`. Nothing can read that.",
)
WIDTH_OF_EITHER = Difference(
    "width of int-or-string",
    (_LOOSER,),
    "An `IntOrString` that is a number has 32 bits. The idiomatic manner takes wider ones, as definitions usually do. "
    "The exact manner has the limits.",
)
ITEMS_TOGETHER = Difference(
    "items together",
    (_STRICTER,),
    "A tag behind `+k8s:eachVal=+k8s:subfield(x)=` leaves unset members alone if `x` is optional. In validators "
    "one such item stops all rules about the items of its list or map. In a schema each item is judged by itself.",
)
ALWAYS_WRITTEN = Difference(
    "always written",
    (_STRICTER,),
    "In the idiomatic manner a field without `omitempty` is required, since clients in Go always write it. `format: "
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

# --- differences of errors, which do not change the verdict
# ------------------------------------------------------------

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
        "API servers run no rules in CEL on an object of which keywords report anything but Invalid. They say that "
        "some rules were not checked. Validators report all errors.",
    ),
    Difference(
        "stopping rules",
        (),
        "In validators some rules stop the rest, such as `+k8s:maxItems`, `+k8s:required` and `+k8s:immutable`. "
        "Nothing stops keywords: they report what is wrong below as well. Where several rules stop a field, validators "
        "report each of them, and a schema one.",
    ),
    Difference(
        "path of items",
        (),
        "A rule in CEL points to a field, and never to an item or key. Where a rule about items stands at their list "
        "or map, so does its error, one for all items.",
    ),
    Difference("duplicates once", (), "API servers report an item that is there several times once."),
    Difference(
        "all of", (), "Keywords that cannot be joined stand below `allOf`, for which API servers report a second error."
    ),
    Difference("alpha", (), "Validators report errors of rules on trial with the level `alpha`. They refuse nothing."),
)
