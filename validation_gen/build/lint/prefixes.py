"""Tags whose beginning is misspelt (`+K8s:maxItems`, `+ks8:maxItems`, `k8s:maxItems`), so that they look like prose."""

from __future__ import annotations

import re
from collections.abc import Iterable

from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Fix, Severity
from validation_gen.rules.registry import catalogue
from validation_gen.tags.comments import CommentLine
from validation_gen.tags.suggestions import certain

#: With a plus sign nearly anything counts in front of a tag's name; without one the rest must be as in a tag.
_BEGINNING = re.compile(
    r"""\s*(?P<whole>
        (?: \+ (?!k8s:) [\s+]* (?:[kK]8[sS] | [kK][sS]8 | [kK]8 | 8[kK][sS] | [kK][sS]) \s? [:./_\ -]
        |   k8s: (?= \w+ (?:[=(] | \s*$)) )
        (?P<name>[A-Za-z]+)
    ) (?=$ | [=(\s])""",
    re.VERBOSE,
)


def report_prefixes(place: str, lines: Iterable[CommentLine], diagnostics: Diagnostics) -> None:
    """Warns of lines that would be tags if they began with `+k8s:`."""
    for line in lines:
        found = _BEGINNING.match(line.text) if "8" in line.text or "+" in line.text else None
        tag = certain(f"k8s:{found['name']}", catalogue()) if found else None
        if found and tag:
            whole = found["whole"]
            span = line.span.sub(*found.span("whole"))
            fix = Fix(f"write +{tag}", (Edit(span, whole, f"+{tag}"),))
            message = f"{place}: {whole} is no tag, so it has no effect"
            diagnostics.add(Diagnostic("VG103", Severity.WARNING, message, span, f"did you mean +{tag}?", fix=fix))
