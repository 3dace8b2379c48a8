"""The Kubernetes dialect of CEL, for writing and checking the rules of a CRD.

Expressions are parsed, their types are checked and their cost is estimated exactly as the API server does when a CRD is
created; and they run as in the server, with its errors and its cost. Nothing here reads a file or knows a tag.

A rule is checked in a `Scope`, its place in the schema. Create one for the root and descend from it:

    root = Scope(schema)                      # the openAPIV3Schema of a version, as a dict
    ports = root.child("spec").child("ports")
    rule = compile_rule("self.all(p, p.port > 0)", ports.items())

`rule.error` is the server's error, `rule.cost` the cost that it compares with `RULE_LIMIT`. Descending is cheap, and
parsed texts are cached, so a rule costs a fraction of a millisecond: try variants of a rule, and keep the best one.

`estimate(schema)` does this for all rules of a schema, and adds them up for `CRD_LIMIT`; its `problems()` are the
server's errors, in its words. `escape(name)` is the name by which an expression selects a property.

`program.prepared` compiles a rule to a `Plan`, which takes the values of `self` and `oldSelf` as `data` reads them from
an object by its schema. `functions` implements the functions of expressions, `runtimecosts` has their costs.

Costs have surprises, all of which are upstream's. One to know: where a loop over `x.few` has another field of `x` in
its body, such as `x.many`, the server takes the size of the last such field for that of the range, and the cost may be
a thousand times what it should be. So compare forms of a rule by their estimated costs.

Not modelled: objects of protobuf types (`google.protobuf.Int64Value{value: 1}` is refused), and errors of macros about
arguments behind a syntax error. `docs/crd-check.md` lists this for users.
"""

from validation_gen.kubernetes.cel.compilation import CRD_LIMIT, RULE_LIMIT, Compiled, compile_message, compile_rule
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
