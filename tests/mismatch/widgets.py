"""Generated validators of types that a test writes down, and a harness around them that keeps what it says."""

from __future__ import annotations

import functools
import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.mismatch.answers import Records, Seen
from validation_gen.commands.compare.grouping import Declarations
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program
from validation_gen.mismatch.causes import Knowledge
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.harness import Harness
from validation_gen.runtime.registry import Registry

GATES = FeatureGates("1.37")


@functools.cache
def program_of(types: str, custom: str = "") -> tuple[Program, Registry]:
    """The program of Go types, and their validators; `custom` is Python with functions that these call."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        (root / "go.mod").write_text("module example.com/shop\n\ngo 1.24\n", encoding="utf-8")
        (root / "v1").mkdir()
        (root / "v1" / "types.go").write_text(f"package v1\n\n{types}", encoding="utf-8")
        (root / "custom.py").write_text(custom, encoding="utf-8")
        paths = (str(root / "custom.py"),) if custom else ()
        result = build_program(Settings((str(root),), custom=paths, every_type=True))
        assert not result.diagnostics.has_errors, result.diagnostics.items
        return result.program, load_validators(result.program)


def widget(fields: str, custom: str = "", comment: str = "") -> Registry:
    """The validators of a type `Widget` with such fields."""
    return program_of(types(fields, comment), custom)[1]


def knowledge(fields: str, custom: str = "", comment: str = "") -> Knowledge:
    """What is known of such a type beside its validators."""
    declarations = Declarations.from_program(*program_of(types(fields, comment), custom))
    kind = "example.com/shop/v1.Widget"
    assert declarations.knows(kind)
    return Knowledge(
        lambda error: declarations.rule(kind, error), lambda path: declarations.place(kind, path), declarations.options
    )


def types(fields: str, comment: str = "") -> str:
    return f"{comment}\ntype Widget struct {{\n{fields}\n}}\n"


class Told:
    """A harness of `Widget`, what it logs and what its observer sees."""

    def __init__(self, registry: Registry, handwritten: Callable[..., Any], **settings: Any) -> None:
        self.seen = Seen()
        settings.setdefault("gates", GATES)
        self.harness = Harness.of(registry, "Widget", handwritten, observers=[self.seen], **settings)
        self.records: list[logging.LogRecord] = []

    def ask(self, obj: Any, old: Any = None, **request: Any) -> list[str]:
        """The texts of the errors that a request is answered with."""
        with logged() as self.records:
            return [str(error) for error in self.harness.validate(obj, old, **request)]

    @property
    def messages(self) -> list[str]:
        """What the last request has logged."""
        return [record.getMessage() for record in self.records]

    @property
    def causes(self) -> list[tuple[str, str]]:
        """The sides and causes of what the last request has logged."""
        return [(record.__dict__["side"], record.__dict__["cause"]) for record in self.records]

    @property
    def mismatches(self) -> int:
        """What `declarative_validation_mismatch_total` counts."""
        return sum(len(outcome.mismatches) for outcome in self.seen.outcomes)

    @property
    def panics(self) -> int:
        """What `declarative_validation_panic_total` counts."""
        return sum(outcome.panic is not None for outcome in self.seen.outcomes)

    @property
    def duplicates(self) -> int:
        """What `duplicate_validation_error_total` counts."""
        return sum(len(outcome.duplicates) for outcome in self.seen.outcomes)


@contextmanager
def logged() -> Iterator[list[logging.LogRecord]]:
    """What the library logs meanwhile."""
    log, handler = logging.getLogger("validation_gen.mismatch"), Records()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield handler.records
    finally:
        log.setLevel(before)
        log.removeHandler(handler)
