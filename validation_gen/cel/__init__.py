"""The Kubernetes dialect of CEL, as far as somebody needs it who writes or checks the rules of a CRD.

Expressions are parsed, their types are checked and their cost is estimated exactly as the API server does when a CRD is
created; they are never evaluated. Nothing here reads a file or knows a tag.

A rule is judged in a `Scope`, the place of the schema where it stands. Make one for the root and go down:

    root = Scope(schema)                      # the openAPIV3Schema of a version, as a dict
    ports = root.child("spec").child("ports")
    rule = compile_rule("self.all(p, p.port > 0)", ports.items())

`rule.error` is what the server would answer, `rule.cost` what it compares with `RULE_LIMIT`. Going down is cheap, and
texts are parsed once, so a rule costs a fraction of a millisecond: try variants of a rule, and keep the best one.

`estimate(schema)` does this for all rules that a schema has, and adds them up for `CRD_LIMIT`. `escape(name)` is the
name by which an expression selects a property.
"""

from validation_gen.cel.estimate import Estimate, Rule, estimate, scopes
from validation_gen.cel.issues import InvalidExpression, Issue
from validation_gen.cel.parser import parsed
from validation_gen.cel.schemas import escape
from validation_gen.cel.scope import CRD_LIMIT, RULE_LIMIT, Compiled, Scope, compile_message, compile_rule

__all__ = [
    "CRD_LIMIT",
    "RULE_LIMIT",
    "Compiled",
    "Estimate",
    "InvalidExpression",
    "Issue",
    "Rule",
    "Scope",
    "compile_message",
    "compile_rule",
    "escape",
    "estimate",
    "parsed",
    "scopes",
]
