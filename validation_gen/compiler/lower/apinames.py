"""Checks groups and versions by the rules of the API server, before they are used.

Both become parts of file names, of paths of requests and of `apiVersion`. An invalid group is never corrected here: it
is reported, and `Program.misnamed` keeps every emitter from writing.
"""

from __future__ import annotations

import re

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import PackagePlan, Program
from validation_gen.runtime.names import dns_subdomain

_VERSION = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")


def judge_names(program: Program, diagnostics: Diagnostics) -> None:
    """Reports groups and versions of input packages that cannot be any. The core group has no name."""
    for plan in program.packages.values():
        if not (plan.input or plan.roots):
            continue
        if plan.group and dns_subdomain(plan.group):
            program.misnamed.add(plan.path)
            diagnostics.error(
                "VG104", f'the group "{plan.group}" is no DNS name', _place(plan, "group"), _help(plan.group)
            )
        if "version" in plan.spans and not _VERSION.fullmatch(plan.version):
            program.misnamed.add(plan.path)
            message = f'the version "{plan.version}" is no lower-case DNS label'
            diagnostics.error("VG524", message, _place(plan, "version"), "write a version such as v1 or v1beta1")


def _place(plan: PackagePlan, what: str) -> Span:
    return plan.spans.get(what, Span(plan.directory))


def _help(group: str) -> str:
    """Suggests a valid group close to the given one, or an example."""
    labels = [re.sub(r"[^a-z0-9]+", "-", label).strip("-") for label in re.split(r"[./\\]", group.lower())]
    near = ".".join(filter(None, labels))
    near = near if "." in near else f"{near}.example.com"
    if dns_subdomain(near):
        near = "robots.example.com"
    return f"write small letters, digits, '-' and '.', such as +groupName={near}"
