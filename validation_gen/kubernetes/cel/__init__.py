"""The Kubernetes dialect of CEL, as far as somebody needs it who writes or checks the rules of a CRD.

Expressions are parsed, their types are checked and their cost is estimated exactly as the API server does when a CRD is
created; and they run as in the server, with its errors and what it counts as their cost. Nothing here reads a file or
knows a tag.

A rule is judged in a `Scope`, the place of the schema where it stands. Make one for the root and go down:

    root = Scope(schema)                      # the openAPIV3Schema of a version, as a dict
    ports = root.child("spec").child("ports")
    rule = compile_rule("self.all(p, p.port > 0)", ports.items())

`rule.error` is what the server would answer, `rule.cost` what it compares with `RULE_LIMIT`. Going down is cheap, and
texts are parsed once, so a rule costs a fraction of a millisecond: try variants of a rule, and keep the best one.

`estimate(schema)` does this for all rules that a schema has, and adds them up for `CRD_LIMIT`; its `problems()` are
the server's errors, in its words. `escape(name)` is the name by which an expression selects a property.

`program.prepared` makes a rule something that runs: a `Plan`, which takes the values of `self` and `oldSelf` as `data`
reads them from an object by its schema. `functions` has what expressions can call, `runtimecosts` what that costs.

Costs have surprises, all of which are upstream's. One to know: where a loop over `x.few` has another field of `x` in
its body, such as `x.many`, the server takes the size of the last such field for that of the range, and the cost may be
a thousand times what it should be. So compare forms of a rule by what they cost, and not by what they ought to cost.

What is not modelled: objects of protobuf types (`google.protobuf.Int64Value{value: 1}` is refused), and what macros say
of arguments behind a mistake of syntax. `docs/crd-check.md` lists this for users.
"""

from validation_gen.kubernetes.cel.compiling import CRD_LIMIT, RULE_LIMIT, Compiled, compile_message, compile_rule
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.cel.estimate import Estimate, Problem, Rule, estimate, judged, over_budget, scopes
from validation_gen.kubernetes.cel.issues import InvalidExpression, Issue
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.schemas import escape
from validation_gen.kubernetes.cel.scope import Scope

__all__ = [
    "CRD_LIMIT",
    "NEWEST",
    "RULE_LIMIT",
    "Compiled",
    "Estimate",
    "InvalidExpression",
    "Issue",
    "Problem",
    "Rule",
    "Scope",
    "compile_message",
    "compile_rule",
    "escape",
    "estimate",
    "judged",
    "over_budget",
    "parsed",
    "scopes",
]
