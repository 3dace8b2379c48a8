"""Finds objects that a new default breaks: legal without a value, and refused with the default filled in.

A server checks a default against its own schema. So only the schemas of the surrounding objects can refuse it: rules in
CEL that read the field, `maxProperties`, and `not`, `oneOf`, `anyOf`, `allOf` that mention it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from validation_gen.commands.breaking.constraints import EACH, MEMBERSHIPS, PRESERVES, Constraint
from validation_gen.commands.breaking.keywords import RULE
from validation_gen.commands.breaking.ranges import about_updates, is_spelled, split_rule
from validation_gen.kubernetes.cel import NEWEST, Scope, tree
from validation_gen.kubernetes.cel.spelling import find_quantifier, spell_expression
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.crd.expressions import compile_rules
from validation_gen.kubernetes.crd.schema import read_schema
from validation_gen.kubernetes.crd.values import judge

_RULES = "x-kubernetes-validations"
#: Maximum length of a rule in a message.
_LONGEST = 80
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}
_OPTIONAL, _INDEX, _SIZE = "_?._", "_[_]", "size"

_Schema = Mapping[str, Any]
_Path = tuple[str, ...]
_Names = Mapping[str, _Path | None]


def find_refusal(above: Sequence[tuple[_Schema, _Path]], field: _Schema) -> str:
    """Describes the constraint that may refuse an object after a default is filled in; empty if none does.

    Args:
        above: the schemas of the objects around the field, each with the steps from it to the field.
        field: the schema of the field.
    """
    for schema, path in above:
        for keyword in ("maxProperties", "not", "oneOf", "anyOf", "allOf"):
            part = {name: schema[name] for name in (keyword, "properties") if name in schema}
            if keyword == "maxProperties":
                if len(path) == 1 and _can_exceed(schema, path[0]):
                    return f"maxProperties {schema[keyword]}"
            elif keyword in schema and _may_refuse({keyword: part[keyword]}, path, field["default"]):
                return keyword
        for rule in schema.get(_RULES) or ():
            text = str(rule.get("rule"))
            if not about_updates(text) and not _survives(text, path, field):
                return f"the rule {json.dumps(text if len(text) <= _LONGEST else f'{text[:_LONGEST]}…')}"
    return ""


def find_refusal_by_constraints(constraints: Iterable[Constraint], name: str, default: Hashable) -> str:
    """Finds the refusal of a struct's field, from the constraints on the struct."""
    found = list(constraints)
    rules = [{"rule": d.operand} for d in found if d.name == RULE]
    limits = [d.operand for d in found if d.name == "maxProperties"]
    for constraint in found:
        if constraint.name in MEMBERSHIPS and isinstance(constraint.operand, tuple):
            members, discriminator = constraint.operand
            if name == discriminator or any(name == member for member, _ in members):
                return f"the rule about {', '.join(member for member, _ in members)}"
    around: dict[str, Any] = {_RULES: rules, PRESERVES: True}
    if limits:
        around["maxProperties"] = limits[0]
    return find_refusal([(around, (name,))], {"type": _TYPES.get(type(default), "object"), "default": default})


# --- keywords ---------------------------------------------------------------------------------------------------------


def _can_exceed(schema: _Schema, name: str) -> bool:
    """Returns whether an object can already have the maximum number of properties without the field."""
    most = schema.get("maxProperties")
    if most is None:
        return False
    others = (schema.get("properties") or {}).keys() - {name}
    is_open = schema.get("additionalProperties") not in (None, False) or bool(schema.get(PRESERVES))
    return is_open or len(others) >= most


def _may_refuse(form: _Schema, path: _Path, default: Any) -> bool:
    """Returns whether an object that satisfies a form without a field may break it with the default."""
    if not path:
        return bool(judge(read_schema(form), default))
    if "not" in form and _mentions(form["not"], path):
        return True
    if any(_mentions(each, path) for each in form.get("oneOf") or ()):
        return True
    if any(_may_refuse(each, path, default) for name in ("allOf", "anyOf") for each in form.get(name) or ()):
        return True
    if len(path) == 1 and "maxProperties" in form:
        return True
    below = _below(form, path[0])
    return below is not None and _may_refuse(below, path[1:], default)


def _mentions(form: _Schema, path: _Path) -> bool:
    """Returns whether a form depends on a field."""
    if not path:
        return True
    if len(path) == 1 and (path[0] in (form.get("required") or ()) or {"maxProperties", "minProperties"} & form.keys()):
        return True
    inner = [each for name in ("allOf", "anyOf", "oneOf") for each in form.get(name) or ()]
    if "not" in form:
        inner.append(form["not"])
    below = _below(form, path[0])
    return any(_mentions(each, path) for each in inner) or (below is not None and _mentions(below, path[1:]))


def _below(form: _Schema, step: str) -> _Schema | None:
    if step != EACH:
        found = (form.get("properties") or {}).get(step)
    else:
        found = form.get("items") or form.get("additionalProperties")
    return found if isinstance(found, Mapping) else None


# --- rules ------------------------------------------------------------------------------------------------------------


def _survives(rule: str, path: _Path, field: _Schema) -> bool:
    """Returns whether a rule that holds without a field also holds with its default."""
    try:
        return all(_is_kept(part, path, field) for part in split_rule(rule))
    except (InvalidExpression, RecursionError):
        return False


def _is_kept(alternatives: Sequence[tree.Node], path: _Path, field: _Schema) -> bool:
    found = [(each, list(_references(each, {"self": ()}))) for each in alternatives]
    if not any(_looks_at(reference, is_whole, path) for _, seen in found for reference, is_whole in seen):
        return True
    return any(
        all(reference[: len(path)] == path or not is_whole for reference, is_whole in seen)
        and any(_looks_at(reference, is_whole, path) for reference, is_whole in seen)
        and _holds(each, path, field)
        for each, seen in found
    )


def _looks_at(reference: _Path, is_whole: bool, path: _Path) -> bool:
    if reference[: len(path)] == path:
        return True
    return is_whole and path[: len(reference)] == reference


def _references(node: tree.Node, names: _Names) -> Iterator[tuple[_Path, bool]]:
    """Yields the paths that an expression reads, and whether it reads the whole value: a length is not the whole."""
    path = _to_path(node, names)
    if path is not None:
        is_test = isinstance(node, tree.Select) and node.test_only
        yield path, not is_test
        if isinstance(node, tree.Call) and node.function == _INDEX:
            yield from _references(node.args[1], names)
        return
    if isinstance(node, tree.Call) and node.function == _SIZE:
        measured = node.target or node.args[0]
        if (path := _to_path(measured, names)) is not None:
            yield path, False
            return
    if isinstance(node, tree.Comprehension):
        path = _to_path(node.range, names)
        if path is None:
            yield from _references(node.range, names)
        else:
            yield path, False
        item = None if path is None else (*path, EACH)
        names = {**names, node.accu: None, node.var: item, **({node.var2: item} if node.var2 else {})}
        for part in (node.init, node.condition, node.step, node.result):
            yield from _references(part, names)
        return
    for child in tree.children(node):
        yield from _references(child, names)


def _to_path(node: tree.Node, names: _Names) -> _Path | None:
    steps: list[str] = []
    while True:
        match node:
            case tree.Select():
                steps.append(node.field)
                node = node.operand
            case tree.Call(function=function) if function in (_OPTIONAL, _INDEX):
                key = node.args[1]
                is_name = function == _OPTIONAL and isinstance(key, tree.Literal)
                steps.append(str(key.value) if is_name and isinstance(key, tree.Literal) else EACH)
                node = node.args[0]
            case tree.Ident():
                start = names.get(node.name)
                return None if start is None else (*start, *reversed(steps))
            case _:
                return None


def _holds(node: tree.Node, path: _Path, field: _Schema) -> bool:
    """Returns whether a part of a rule that reads only a field is true for its default."""
    # For other loops over lists, one item does not determine the result for several.
    loops = (each for each in tree.walk(node) if isinstance(each, tree.Comprehension))
    if any(find_quantifier(each) != "all" for each in loops) or not is_spelled(node):
        return False
    schema, value = dict(field), field["default"]
    for index in range(len(path) - 1, -1, -1):
        if path[index] == EACH:
            schema, value = {"type": "array", "items": schema}, [value]
        else:
            schema, value = {"type": "object", "properties": {path[index]: schema}}, {path[index]: value}
    schema[_RULES] = [{"rule": spell_expression(node)}]
    raw = {"type": "object", "properties": {"spec": schema}}
    rules = compile_rules(read_schema(raw), Scope(raw, minor=NEWEST, stored=True))
    return rules is None or not rules.check({"spec": value}).errors
