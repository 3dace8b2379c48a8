"""The switch: whether validators use native code is said in one place, and nothing that they say depends on it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import require_native
from tests.decoded import sample
from tests.native.twoways import needs_native
from validation_gen.runtime import native
from validation_gen.runtime.validator import Validator

_ASKED = "from validation_gen.runtime import native; print(native.accept is None, native.told)"


@needs_native
@pytest.mark.parametrize(("value", "pure"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_environment_decides(value: str, pure: bool) -> None:
    environ = os.environ | {"VALIDATION_GEN_PURE": value}
    done = subprocess.run([sys.executable, "-c", _ASKED], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{pure} ")
    assert ("VALIDATION_GEN_PURE" in done.stdout) is pure


@needs_native
def test_the_extension_is_of_this_version() -> None:
    assert native.accept is not None
    assert native.accept.EDITION == native.EDITION


@pytest.mark.parametrize("edition", ["", "; other.EDITION = 0"])
def test_an_extension_of_another_version_is_left_alone(edition: str) -> None:
    """As it lies beside newer Python files where a checkout has brought those into an editable installation."""
    code = (
        "import sys, types\n"
        f"sys.modules['validation_gen.runtime._fastpath'] = other = types.ModuleType('_fastpath'){edition}\n"
        "from validation_gen.runtime.errors import FieldError\n"
        "print(FieldError.invalid('a', 1, 'b'), flush=True)\n"
        "from validation_gen.cli.main import run\n"
        "sys.argv = ['validation-gen', '--version', '-v']\n"
        "run()"
    )
    environ = os.environ | {"VALIDATION_GEN_PURE": ""}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    assert (done.stdout.splitlines()[:1], done.stderr) == (["a: Invalid value: 1: b"], "")
    assert f"validators run {native.STALE}" in " ".join(done.stdout.split())
    assert "`python -m pip install -e .`" in native.STALE


@pytest.mark.parametrize("told", [native.STALE, "in pure Python, as the native accept path has not been built"])
def test_tests_fail_beside_an_extension_of_another_version(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are skipped only where there is no extension, or none is wanted: they would test nothing for ever."""
    monkeypatch.setattr(native, "accept", None)
    monkeypatch.setattr(native, "told", told)
    outcome = pytest.fail if told == native.STALE else pytest.skip
    with pytest.raises(outcome.Exception, match="validators run in pure Python"):
        require_native()


def test_nothing_needs_it_to_be_imported() -> None:
    """As those find out who have no compiler, and import all that there is."""
    code = (
        "import importlib, pkgutil, validation_gen.runtime as runtime, validation_gen.kubernetes as kubernetes\n"
        "for each in (runtime, kubernetes):\n"
        "    for found in pkgutil.walk_packages(each.__path__, each.__name__ + '.'):\n"
        "        if not found.name.endswith('._fastpath'): importlib.import_module(found.name)\n"
        "from validation_gen.kubernetes.objects.fastpath import is_plain\n"
        "print(is_plain({'name': 'a'}))"
    )
    environ = os.environ | {"VALIDATION_GEN_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_without_it_validators_have_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "accept", None)
    registry = sample().registry
    kind = next(kind for kind in registry.kinds if kind.name == "RobotPool")
    validator = Validator(kind, registry.package)
    assert validator._fastpath is None
    for _ in range(100):
        assert "spec.replicas" in [error.field for error in validator({"spec": {"replicas": -1}})]
