"""Default version of an API: the one that is stored."""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.emit.schema.resources import priority
from validation_gen.ir import Program, TypePlan


def stored(plans: Sequence[TypePlan], program: Program) -> TypePlan | None:
    """Returns the type of the storage version, of types that are versions of each other.

    Without a marker that is the newest, as in definitions. `None` if they are of several groups.
    """
    packages = [program.packages.get(plan.package) for plan in plans]
    found = [(plan, package) for plan, package in zip(plans, packages, strict=True) if package is not None]
    if len(found) < len(plans) or len({package.group for _, package in found}) != 1 or not found[0][1].group:
        return None
    if len({package.version for _, package in found}) < len(found):
        return None
    marked = [plan for plan, package in found if any(root.resource.storage for root in package.roots)]
    newest = max(found, key=lambda each: priority(each[1].version))[0]
    return marked[0] if len(marked) == 1 else newest


def others(plan: TypePlan, program: Program) -> list[str]:
    """Returns the packages that have another version of a kind, if this one is the stored one."""
    package = program.packages.get(plan.package)
    same = [
        each
        for each in program.types.values()
        if each.name == plan.name
        and (there := program.packages.get(each.package)) is not None
        and package is not None
        and there.group == package.group
        and any(root.type == each.id for root in there.roots)
    ]
    if len(same) < 2 or stored(same, program) is not plan:
        return []
    return sorted(each.package for each in same if each is not plan)
