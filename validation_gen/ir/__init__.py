"""The validation program as data: checks, their values, and their order.

The input are the checks that rules return, ordered by `build/lower`. The output is a `Program`, which emitters,
`breaking`, `coverage` and `explain` read. It is the only interface between rules and emitters.

Everything here is resolved. No reader of a program needs the source, the tags or the rules, and no rule knows the
readers. The room has no behaviour beyond its own order: `cohorts` has the order of checks, and the effect of a failure.

Begin with `checks`, then `program`.

- `checks`: a `Check` has a test (its operation), its errors (`Emission`), whether it stops others, its level, and the
  tag that it comes from. A wrapper such as `+k8s:eachVal` makes a check around a check: `children`, `core` and `within`
  lead inside.
- `tests`: one record for each test of the runtime, with its properties; readers of a program compare no names.
- `program`: a `TypePlan` with `FieldPlan`s for each type, in a `PackagePlan` for each package.
- `shapes`: the JSON form of the values of a type.
- `schema`: schemas and resources in declarations, besides the rules.
"""

from validation_gen.ir import tests
from validation_gen.ir.checks import (
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
    Selector,
    TagRef,
    Term,
    Test,
    called,
    children,
    cohorts,
    core,
    occurs,
    plain_tests,
    within,
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
from validation_gen.ir.tests import Bound, Emission, Measure, Operands, Passes, Presence, TestRecord, When

__all__ = [
    "OBJECT_META",
    "UNCHANGED",
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
    "ItemPresence",
    "Key",
    "KindSchema",
    "ListOf",
    "MapOf",
    "Match",
    "Measure",
    "Member",
    "MemberPresence",
    "Membership",
    "MembershipKind",
    "Modes",
    "Operands",
    "Operation",
    "PackagePlan",
    "Participant",
    "Passes",
    "PointerTo",
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
    "Test",
    "TestRecord",
    "TypePlan",
    "Validation",
    "When",
    "Wire",
    "called",
    "children",
    "cohorts",
    "core",
    "occurs",
    "plain_tests",
    "tests",
    "value_shape",
    "within",
]
