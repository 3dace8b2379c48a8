"""JSON serialisation of a `Job` for remote workers, which share no memory, files or user code with this process."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Any

from validation_gen.diagnostics import Span
from validation_gen.emit.loading import generated
from validation_gen.mismatch.expected import Expectation
from validation_gen.uses.compare.declarations import Declarations
from validation_gen.uses.compare.judge import Manner
from validation_gen.uses.compare.portions import Job
from validation_gen.uses.compare.results import RuleUse
from validation_gen.uses.compare.sides import RoutedSpec, SideOptions, SideSpec, parse_spec
from validation_gen.uses.compare.sides.specs import text_of


def data_of(job: Job, today: date) -> dict[str, Any]:
    """Serialises the job as JSON-ready data. `today` decides which expectations have expired, on every worker."""
    declared, manner = job.declarations, job.manner
    return {
        "files": dict(job.files),
        "declarations": {
            "rules": [[*key, [list(asdict(rule).values()) for rule in rules]] for key, rules in declared.rules.items()],
            "places": [[*key, place] for key, place in declared.places.items()],
            "options": sorted(declared.options),
        },
        "handwritten": _side(job.handwritten),
        "manner": {
            **asdict(manner),
            "normalization": [list(pair) for pair in manner.normalization],
            "options": dict(manner.options),
            "unstated": sorted(manner.unstated),
        },
        "expected": [
            {**asdict(each), "expires": each.expires.isoformat() if each.expires else None} for each in job.expected
        ],
        "directories": list(generated.admitted()),
        "today": today.isoformat(),
    }


def job_of(data: dict[str, Any]) -> Job:
    """Restores a job from `data_of`. Positions on disk are not in it, as only reports need them."""
    declared, manner = data["declarations"], data["manner"]
    spans: dict[tuple[str, str], Span] = {}
    return Job(
        data["files"],
        Declarations(
            {(kind, path): [RuleUse(*rule) for rule in rules] for kind, path, rules in declared["rules"]},
            {(kind, path): place for kind, path, place in declared["places"]},
            frozenset(declared["options"]),
            spans,
        ),
        _side_of(data["handwritten"]),
        Manner(
            **{
                **manner,
                "normalization": tuple((pattern, by) for pattern, by in manner["normalization"]),
                "unstated": frozenset(manner["unstated"]),
            }
        ),
        tuple(
            Expectation(**{**each, "expires": date.fromisoformat(each["expires"]) if each["expires"] else None})
            for each in data["expected"]
        ),
        date.fromisoformat(data["today"]),
    )


def _side(spec: SideSpec) -> dict[str, Any]:
    if isinstance(spec, RoutedSpec):
        return {"routes": [[*route, _side(each)] for route, each in spec.routes]}
    text, options = text_of(spec)
    return {"text": text, "options": asdict(options)}


def _side_of(data: dict[str, Any]) -> SideSpec:
    if "routes" in data:
        return RoutedSpec(tuple(((package, name), _side_of(each)) for package, name, each in data["routes"]))
    pairs = {name: tuple((key, value) for key, value in data["options"][name]) for name in ("headers", "plurals")}
    return parse_spec(data["text"], SideOptions(**{**data["options"], **pairs}), check=False)
