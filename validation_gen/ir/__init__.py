"""The validation program as data: checks, their values, and their order.

The input are the checks that rules return, ordered by `compiler/lower`. The output is a `Program`, which emitters,
`breaking`, `coverage` and `explain` read. It is the only interface between rules and emitters.

Everything here is resolved. No reader of a program needs the source, the tags or the rules, and no rule knows the
readers. The room has no behaviour beyond its own order: `cohorts` has the order of checks, and the effect of a failure.

Begin with `checks`, then `program`.

- `checks`: a `Check` has a predicate (its operation), its errors (`Emission`), whether it stops others, its level, and
  its tag. A wrapper such as `+k8s:eachVal` makes a check around a check; `within` and `traverse` lead inside.
- `predicates`: one record for each predicate of the runtime, with its properties; readers compare no names.
- `program`: a `TypePlan` with `FieldPlan`s for each type, in a `PackagePlan` for each package.
- `shapes`: the JSON form of the values of a type.
- `traverse`: the one descent through a program; readers filter its visits.
- `schema`: schemas and resources in declarations, besides the rules.
"""

from validation_gen.ir import predicates
from validation_gen.ir.checks import (
    OPERATIONS,
    ByKeys,
    ByValue,
    CallType,
    Check,
    CustomFunction,
    EachKey,
    EachValue,
    IfOption,
    InItem,
    InMember,
    ItemPresence,
    Key,
    Match,
    MemberPresence,
    Membership,
    MembershipKind,
    Modes,
    Operation,
    Participant,
    Predicate,
    Selector,
    TagRef,
    Term,
    called,
    children,
    cohorts,
    occurs,
    plain_predicates,
    within,
)
from validation_gen.ir.predicates import (
    AbsentPolicy,
    AppliesOn,
    Aspect,
    Bound,
    Emission,
    Operands,
    PredicateSpec,
    Presence,
)
from validation_gen.ir.program import (
    OBJECT_META,
    FieldPlan,
    PackagePlan,
    Program,
    Root,
    TypePlan,
)
from validation_gen.ir.schema import (
    UNCHANGED,
    Conversion,
    KindSchema,
    PrinterColumn,
    ResourceNotes,
    Scale,
    SchemaNotes,
    Validation,
)
from validation_gen.ir.shapes import (
    ListOf,
    MapOf,
    Member,
    PointerTo,
    Scalar,
    Shape,
    StructRef,
    Wire,
    value_shape,
)
from validation_gen.ir.traverse import InMode, Location, OnOption, Visit, visit, visit_checks, visit_fields

__all__ = [
    "OBJECT_META",
    "OPERATIONS",
    "UNCHANGED",
    "AbsentPolicy",
    "AppliesOn",
    "Aspect",
    "Bound",
    "ByKeys",
    "ByValue",
    "CallType",
    "Check",
    "Conversion",
    "CustomFunction",
    "EachKey",
    "EachValue",
    "Emission",
    "FieldPlan",
    "IfOption",
    "InItem",
    "InMember",
    "InMode",
    "ItemPresence",
    "Key",
    "KindSchema",
    "ListOf",
    "Location",
    "MapOf",
    "Match",
    "Member",
    "MemberPresence",
    "Membership",
    "MembershipKind",
    "Modes",
    "OnOption",
    "Operands",
    "Operation",
    "PackagePlan",
    "Participant",
    "PointerTo",
    "Predicate",
    "PredicateSpec",
    "Presence",
    "PrinterColumn",
    "Program",
    "ResourceNotes",
    "Root",
    "Scalar",
    "Scale",
    "SchemaNotes",
    "Selector",
    "Shape",
    "StructRef",
    "TagRef",
    "Term",
    "TypePlan",
    "Validation",
    "Visit",
    "Wire",
    "called",
    "children",
    "cohorts",
    "occurs",
    "plain_predicates",
    "predicates",
    "value_shape",
    "visit",
    "visit_checks",
    "visit_fields",
    "within",
]
