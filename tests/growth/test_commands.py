"""The work of commands grows with their sources, and not faster. Counts calls of functions, which no load changes."""

from __future__ import annotations

import cProfile
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scaling.sources import wide
from tests.scaling.stages import write
from tests.tables import each
from validation_gen.commands.explain.fields.account import account
from validation_gen.commands.explain.fields.address import read_address
from validation_gen.commands.migrate import migrate
from validation_gen.compiler.pipeline import lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics

pytestmark = pytest.mark.slow  # calls are counted by a profiler

_FEW, _LIMIT = 40, 1.25
_KIND = """\
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

"""
#: The lines above a field, and its type with the option of its JSON name.
_FIELDS = {
    "optional": ("MaxLength={limit}", "Optional", "string", ",omitempty"),
    "pointers": ("MaxLength={limit}", "Optional", "*string", ",omitempty"),
    "kept": ("Pattern=`^a{{0,{limit}}}$`", "Optional", "string", ",omitempty"),
    "required": ("MinLength=1", "Required", "string", ""),
    "required numbers": ("Minimum={limit}", "Required", "int32", ""),
}


def exponent(work: Callable[[int], Callable[[], object]]) -> float:
    """Returns the power of the size with which calls grow, whatever their number for nothing is.

    So it is the power with which the differences between three sizes grow.
    """

    def calls(size: int) -> int:
        run, profile = work(size), cProfile.Profile()
        profile.runcall(run)
        return sum(entry.callcount for entry in profile.getstats())

    calls(1)  # what is done once is done now
    few, more, many = calls(_FEW), calls(2 * _FEW), calls(4 * _FEW)
    return math.log2((many - more) / (more - few))


@each(("work", "power"), [(lambda n: 7 * n, 1), (lambda n: n * n, 2), (lambda n: 400 * n + n * n, 1.3)])
def test_exponents(work: Callable[[int], int], power: float) -> None:
    def repeat(size: int) -> Callable[[], object]:
        return lambda: [abs(number) for number in range(1_000 + work(size))]

    assert exponent(repeat) == pytest.approx(power, abs=0.05)


def test_accounts_of_wide_structs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(size: int) -> Callable[[], object]:
        root = tmp_path / str(size)
        write(root, wide(size))
        monkeypatch.chdir(root)
        settings = Settings(("v1",))
        program = lower(read(settings, Diagnostics()), replace(settings, every_kind=True), Diagnostics())
        return lambda: account(program, *read_address("Thing", program), settings.target)

    assert exponent(work) <= _LIMIT


@pytest.mark.parametrize(
    "shape",
    [each if each == "required numbers" else pytest.param(each, marks=pytest.mark.thorough) for each in _FIELDS],
)
def test_migrations(shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value, presence, type, option = _FIELDS[shape]

    def work(size: int) -> Callable[[], object]:
        lines = [_KIND, "type Spec struct {"]
        for number in range(size):
            lines += [f"\t// +kubebuilder:validation:{value.format(limit=number % 50 + 1)}"]
            lines += [f"\t// +kubebuilder:validation:{presence}", f'\tF{number} {type} `json:"f{number}{option}"`']
        root = tmp_path / str(size)
        (root / "v1").mkdir(parents=True, exist_ok=True)
        (root / "go.mod").write_text("module example.com/m\n")
        (root / "v1/types.go").write_text("\n".join([*lines, "}", ""]))
        monkeypatch.chdir(root)
        return lambda: migrate(Settings(("v1",)))

    assert exponent(work) <= _LIMIT
