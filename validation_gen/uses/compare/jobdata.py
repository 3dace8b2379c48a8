"""JSON serialisation of a `Job` for remote workers, which share no memory, files or user code with this process."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from validation_gen.emit.loading import generated
from validation_gen.mismatch.expected import Expectation
from validation_gen.uses.compare.declarations import Declarations
from validation_gen.uses.compare.judge import Manner
from validation_gen.uses.compare.portions import Job
from validation_gen.uses.compare.sides import RoutedSpec, SideOptions, SideSpec, parse_spec
from validation_gen.uses.compare.sides.specs import text_of
from validation_gen.uses.corpora.codec import decode, encode


def data_of(job: Job, today: date) -> dict[str, Any]:
    """Serialises the job as JSON-ready data. `today` decides which expectations have expired, on every worker.

    Positions on disk are left out, as only reports need them.
    """
    return {
        "files": dict(job.files),
        "declarations": encode(replace(job.declarations, spans={})),
        "handwritten": _side(job.handwritten),
        "manner": encode(job.manner),
        "expected": list(map(encode, job.expected)),
        "directories": list(generated.admitted()),
        "today": today.isoformat(),
    }


def job_of(data: dict[str, Any]) -> Job:
    """Restores a job from `data_of`."""
    return Job(
        data["files"],
        decode(Declarations, data["declarations"]),
        _side_of(data["handwritten"]),
        decode(Manner, data["manner"]),
        tuple(decode(Expectation, each) for each in data["expected"]),
        date.fromisoformat(data["today"]),
    )


def _side(spec: SideSpec) -> dict[str, Any]:
    if isinstance(spec, RoutedSpec):
        return {"routes": [[*route, _side(each)] for route, each in spec.routes]}
    text, options = text_of(spec)
    return {"text": text, "options": encode(options)}


def _side_of(data: dict[str, Any]) -> SideSpec:
    if "routes" in data:
        return RoutedSpec(tuple(((package, name), _side_of(each)) for package, name, each in data["routes"]))
    return parse_spec(data["text"], decode(SideOptions, data["options"]), check=False)
