"""The rooms from which mutants are drawn, each with the tests that are to find them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CASES = "tests/test_cases.py"


@dataclass(frozen=True)
class Room:
    """Modules below a directory of the package, and the tests of the room, quick ones first."""

    directory: str
    tests: tuple[str, ...]

    def modules(self) -> list[Path]:
        """Return the modules that decide something."""
        files = sorted((ROOT / "validation_gen" / self.directory).rglob("*.py"))
        return [file for file in files if file.name != "__init__.py"]


ROOMS = {
    "rules": Room("rules", ("tests/rules", _CASES, "tests/commands/explain/test_errors.py", "tests/ir")),
    "lower": Room(
        "compiler/lower",
        (_CASES, "tests/test_embedding.py", "tests/test_decoding.py", "tests/compiler", "tests/sources"),
    ),
    "emit": Room("emit", (_CASES, "tests/ir", "tests/test_twins.py", "tests/emit")),
    "runtime": Room("runtime", (_CASES, "tests/ir", "tests/runtime")),
    "tags": Room("tags", ("tests/tags", _CASES)),
    "sources": Room("sources", ("tests/sources", _CASES)),
    "crd": Room("kubernetes/crd", ("tests/kubernetes/crd",)),
    "cel": Room("kubernetes/cel", ("tests/kubernetes/cel", "tests/kubernetes/crd")),
    "objects": Room("kubernetes/objects", ("tests/kubernetes/objects", "tests/commands/test_stdio_objects.py")),
    "mismatch": Room("mismatch", ("tests/mismatch",)),
    "webhooks": Room("webhooks", ("tests/webhooks",)),
}
