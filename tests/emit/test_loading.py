"""Generated packages that are imported from memory: apart from each other, and open to debuggers."""

from __future__ import annotations

import importlib
import inspect
import linecache
import sys
import traceback
from types import ModuleType

import pytest

from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.registry import Registry

PACKAGE = """\
from validation_gen.runtime.registry import Kind, Registry

registry = Registry(__name__, [Kind(".g.v1", "T", "example.com/g/v1", "g/v1", "*v1.T", ("/",))])
"""
MODULE = """\
from validation_gen.runtime import shapes
from validation_gen.runtime.errors import FieldError

LABEL = {label!r}
TShape = shapes.Struct("T")
TShape.define({{}})


def create_T(obj, op):
    return [FieldError.invalid("", 1, LABEL)]


def update_T(obj, old, op):
    raise LookupError(LABEL)
"""


def files(label: str) -> dict[str, str]:
    return {"__init__.py": PACKAGE, "g/__init__.py": "", "g/v1.py": MODULE.format(label=label)}


def module(registry: Registry, name: str = "g.v1") -> ModuleType:
    return importlib.import_module(f".{name}", registry.package)


def validate(registry: Registry) -> list[str]:
    """Returns the label of the module above."""
    return [error.detail for error in registry.validate({"apiVersion": "g/v1", "kind": "T"})]


def test_packages_do_not_know_each_other() -> None:
    registries = [load_registry(files(label)) for label in "ab"]
    assert [validate(registry) for registry in registries] == [["a"], ["b"]]
    assert registries[0].package != registries[1].package
    assert [module(registry).LABEL for registry in registries] == ["a", "b"]


def test_modules_are_imported_when_they_are_needed() -> None:
    registry = load_registry(files("late") | {"g/v2.py": "raise RuntimeError\n"})
    assert f"{registry.package}.g.v1" not in sys.modules
    validate(registry)
    assert f"{registry.package}.g.v1" in sys.modules
    assert f"{registry.package}.g.v2" not in sys.modules


def test_what_is_not_there_is_not_found() -> None:
    registry = load_registry(files("x"))
    for name in ("nope", "g.v2", "g.v1.deeper", "v1"):
        with pytest.raises(ModuleNotFoundError):
            module(registry, name)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"{registry.package}0")
    with pytest.raises(ModuleNotFoundError):
        load_registry({})


def test_modules_can_import_each_other() -> None:
    texts = files("x") | {
        "g/v2.py": "from . import v1 as other\nfrom ..g.v1 import LABEL\n",
        "h.py": "from .g import v2\n",
    }
    registry = load_registry(texts)
    assert module(registry, "h").v2.other is module(registry)
    assert module(registry, "g.v2").LABEL == "x"
    assert module(registry, "g").__path__ == []
    assert module(registry).__package__ == f"{registry.package}.g"


def test_tracebacks_show_the_source() -> None:
    registry = load_registry(files("seen"))
    kind = registry.kinds[0]
    with pytest.raises(LookupError) as caught:
        registry.run(kind, {}, {}, update=True)
    text = "".join(traceback.format_exception(caught.value))
    assert f'File "<{registry.package}/g/v1.py>", line 14, in update_T\n    raise LookupError(LABEL)\n' in text
    linecache.checkcache()
    assert "raise LookupError(LABEL)" in "".join(traceback.format_exception(caught.value))
    assert inspect.getsource(module(registry).create_T) == (
        'def create_T(obj, op):\n    return [FieldError.invalid("", 1, LABEL)]\n'
    )


def test_a_package_that_fails_to_import_leaves_nothing_behind() -> None:
    before = set(sys.modules), list(sys.meta_path)
    with pytest.raises(ZeroDivisionError):
        load_registry({"__init__.py": "1 / 0\n"})
    assert (set(sys.modules), list(sys.meta_path)) == before
    assert load_registry(files("next")).kinds


def test_text_that_is_no_text() -> None:
    """Names of directories need not be UTF-8. Generated code has them in literals, as escapes, and in docstrings."""
    registry = load_registry(files("caf\udce9"))
    assert validate(registry) == ["caf\udce9"]
    registry = load_registry(files("x") | {"g/v2.py": '"""Validators of caf\udce9."""\n'})
    assert module(registry, "g.v2").__doc__ == "Validators of caf?."
