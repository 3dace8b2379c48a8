"""One generated module: the validators of an API package, with the constants that they use."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from validation_gen.emit.python.fastpath import TableEmitter
from validation_gen.emit.python.functions import FunctionEmitter
from validation_gen.emit.python.names import Names
from validation_gen.emit.python.quickconditions import is_same_on_update
from validation_gen.emit.python.value_ref import ExactWalk, TypeWalk
from validation_gen.emit.text import Code, literal
from validation_gen.ir import Member, StructRef, TypePlan
from validation_gen.types.naming import attribute_name


@dataclass(slots=True)
class ModuleEmitter(Names):
    """Collects the contents of one module while its functions are written."""

    #: The structs whose values can be instances of Python classes.
    classes: frozenset[str] = frozenset()
    #: The types of the package that get validators.
    plans: Sequence[TypePlan] = ()

    def blocks(self, structs: Collection[str], aliases: Mapping[str, TypePlan]) -> list[list[str]]:
        """Returns the code of each type in the order of their names: its shape, constants and functions.

        Each is a list of sections separated by two empty lines.
        """
        own = {id.rpartition(".")[2]: id for id in structs}
        plans = {plan.name: plan for plan in self.plans}
        names = sorted({*own, *plans})
        functions = {name: self._functions(name, plans.get(name), own.get(name, "")) for name in names}
        tables = {name: self._table(name, plan) for name, plan in plans.items()}
        found = []
        for name in sorted({*own, *plans, *aliases, *self.constants.homes}):
            lines = self._definition(own[name]) if name in own else []
            if name in aliases:
                code = Code()
                code.expression(f"SHAPES[{literal(name)}] = ", self.expression(aliases[name].shape))
                lines += code.lines
            lines += self.constants.find_lines(name)
            sections = [section for section in (lines, tables.get(name)) if section]
            sections += functions.get(name, [])
            if own.get(name) in self.confusable:
                code = Code()
                code.assign(f"{name}Shape.exact", f"exact_{name}")
                sections.append(code.lines)
            found.append([f"# --- {name}", "", *_separate(sections)])
        return found

    def _functions(self, name: str, plan: TypePlan | None, struct: str) -> list[list[str]]:
        """Returns the functions of a type: one each for create and update if it has checks, else one for both."""
        self.here = name
        found = []
        if plan is not None:
            modes = (False,) if is_same_on_update(plan) else (False, True)
            found += [FunctionEmitter(self, update).function(plan) for update in modes]
        if struct and not self.checks_something(struct):
            found.append(TypeWalk(self, Code()).function(name, self.program.structs[struct]))
        if struct in self.confusable:
            found.append(ExactWalk(self).function(name, self.program.structs[struct]))
        return found

    def _table(self, name: str, plan: TypePlan) -> list[str]:
        self.here = name
        return TableEmitter(self).lines(plan) if isinstance(plan.shape, StructRef) else []

    def struct_declarations(self, structs: Collection[str]) -> list[str]:
        code = Code()
        for name in (id.rpartition(".")[2] for id in structs):
            code.call(f"{name}Shape = shapes.Struct", [literal(name)])
        return code.lines

    def _definition(self, id: str) -> list[str]:
        members = self.program.structs[id]
        code = Code()
        omitted = [
            f"{option}={literal(' '.join(names))}"
            for option in ("omitempty", "omitzero")
            if (names := [m.json for m in members if m.omit == option])
        ]
        preserves = ["*"] if self.program.preserves_unknown(id) else []
        preserves += self.program.preserving_members(id)
        code.add(f"{id.rpartition('.')[2]}Shape.define(")
        with code.block():
            if members:
                code.add("{")
                with code.block():
                    for member in members:
                        shape = self.expression(member.shape)
                        if member.quoted:
                            shape = f"shapes.Quoted({shape})"
                        code.expression(f"{literal(member.json)}: ", shape, ",")
                code.add("}," if omitted or preserves or id in self.classes else "}")
            else:
                code.add("{},")
            for option in omitted:
                code.add(f"{option},")
            if preserves:
                code.add(f"preserves={literal(' '.join(preserves))},")
            if id in self.classes:
                self._attributes(members, code)
        code.add(")")
        return code.lines

    def _attributes(self, members: tuple[Member, ...], code: Code) -> None:
        """Writes the attributes of the Python class whose names differ from JSON."""
        names = {m.json: m.attribute or attribute_name(m.json) for m in members}
        others = {json: attribute for json, attribute in names.items() if attribute != json}
        code.add("attributes={" if others else "attributes={},")
        if others:
            with code.block():
                for json, attribute in others.items():
                    code.add(f"{literal(json)}: {literal(attribute)},")
            code.add("},")


def _separate(sections: list[list[str]]) -> list[str]:
    """Returns the lines of sections, with two empty lines between them."""
    lines: list[str] = []
    for section in sections:
        lines += [*(["", ""] if lines else []), *section]
    return lines
