"""Names of a definition: its group, its scope and what its resources are called."""

from __future__ import annotations

from validation_gen.crd.place import Place
from validation_gen.crd.report import Report
from validation_gen.runtime import names


def check_group(group: str, spec: Place, report: Report) -> None:
    place = spec.child("group")
    help = "write a domain that is yours, such as example.com"
    if not group:
        report.required("VG503", place, help=help)
    elif messages := names.dns_subdomain(group):
        report.invalid("VG503", place, group, ",".join(messages), help)
    elif "." not in group:
        report.invalid("VG503", place, group, "should be a domain with at least one dot", help)
