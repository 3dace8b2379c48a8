"""Findings that only follow from a slip in another line of the same comment: they become notes of that finding."""

from __future__ import annotations

from dataclasses import dataclass, replace

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity


@dataclass(frozen=True, slots=True)
class _Consequence:
    """An error with this code and text, caused by a mistake with one of these codes about `meant`."""

    code: str
    text: str
    meant: str
    slips: tuple[str, ...]

    def explains(self, slip: Diagnostic, finding: Diagnostic) -> bool:
        place = finding.message.partition(": ")[0]
        about = slip.message + slip.help
        return slip.code in self.slips and slip.message.startswith(f"{place}: ") and self.meant in about


_CONSEQUENCES = (
    _Consequence("VG205", "without listMapKey", "listMapKey", ("VG102", "VG103", "VG203")),
    _Consequence("VG526", "without +listMapKey", "listMapKey", ("VG520", "VG521", "VG525")),
    _Consequence("VG526", "+listMapKey: the list is no map", "listType", ("VG520", "VG521", "VG523", "VG524")),
)


def fold_consequences(diagnostics: Diagnostics) -> None:
    """Converts the consequence of a mistake to a note of the mistake, which becomes the error."""
    for consequence in _CONSEQUENCES:
        for finding in [d for d in diagnostics.items if d.code == consequence.code and consequence.text in d.message]:
            slip = next((d for d in diagnostics.items if consequence.explains(d, finding)), None)
            if slip is not None:
                notes = (*slip.notes, (finding.message.partition(": ")[2], finding.span))
                diagnostics.items.remove(finding)
                diagnostics.items[diagnostics.items.index(slip)] = replace(slip, severity=Severity.ERROR, notes=notes)
