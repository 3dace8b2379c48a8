"""The answers of our webhook for the sample API, for tests that ask it without a server."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.registry import Registry
from validation_gen.webhooks.validating import answered, by_validators

APIS = Path(__file__).parents[2] / "testdata" / "apis"
#: The options of the sample, as its manifests have them.
OPTIONS = {"RobotSwarming": True, "FlightPermits": True}


@functools.cache
def registry() -> Registry:
    """The validators of the sample API."""
    return load_validators(build_program(Settings((str(APIS),))).program)


def answer_to(body: bytes) -> dict[str, Any]:
    """What is answered to the body of an admission review."""
    return dict(answered(body, by_validators(registry(), OPTIONS)))
