"""Handwritten Python functions for `+k8s:customValidation`: found by name, without running anything."""

from __future__ import annotations

import ast
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.sources import recording_fs

if TYPE_CHECKING:
    from validation_gen.ir import CustomFunction

PREFIX = "ValidateCustom_"

#: Module with upstream's functions, and the packages of their types.
_UPSTREAM = "validation_gen.runtime.upstream"
_KNOWN = {
    "ValidateCustom_Condition_LastTransitionTime": "k8s.io/apimachinery/pkg/apis/meta/v1",
    "ValidateCustom_EvictionRequestSpec_Requester": "k8s.io/api/lifecycle/v1alpha1",
    "ValidateCustom_EvictionResponder_Name": "k8s.io/api/core/v1",
    "ValidateCustom_EvictionResponder_Priority": "k8s.io/api/core/v1",
}


@dataclass(slots=True)
class Customs:
    """The functions that were found, and the texts of their files by module name."""

    texts: dict[str, str] = field(default_factory=dict)
    _modules: dict[str, tuple[str, Span]] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    def find(self, package: str, name: str) -> CustomFunction | None:
        """Returns the function of a name; the user's own take precedence over those of the runtime."""
        from validation_gen.ir import CustomFunction  # noqa: PLC0415 - a kept result needs none of it

        if name in self._modules:
            self._used.add(name)
            return CustomFunction(self._modules[name][0], name)
        return CustomFunction(_UPSTREAM, name) if _KNOWN.get(name) == package else None

    def report_unused(self, diagnostics: Diagnostics) -> None:
        """Reports functions that look like checks but that no tag calls."""
        for name, (_, span) in sorted(self._modules.items()):
            if name not in self._used:
                help = "add +k8s:customValidation to its type or field, or give the function another name"
                diagnostics.warning("VG206", f"{name}: no matching tag", span, help)

    def _add(self, name: str, module: str, span: Span, diagnostics: Diagnostics) -> None:
        if name in self._modules:
            message = f"{name} is defined twice; the first one is at {self._modules[name][1]}"
            diagnostics.error("VG206", message, span)
        else:
            self._modules[name] = (module, span)


def custom_module(file: str) -> str:
    """Returns the name of the module that a file of handwritten functions becomes."""
    return "custom_" + "".join(c if c.isalnum() else "_" for c in Path(file).stem)


def read_customs(files: Sequence[str], diagnostics: Diagnostics) -> Customs:
    """Reads the files that the user names. They become modules `custom_<name>` of the generated package."""
    customs = Customs()
    for file in files:
        path = Path(file)
        span = Span(path.as_posix())
        try:
            text = io.TextIOWrapper(io.BytesIO(recording_fs.read(path)), encoding="utf-8").read()
            tree = ast.parse(text)
        except OSError as error:
            diagnostics.error("VG901", f"cannot read: {error.strerror or error}", span)
            continue
        except SyntaxError as error:
            line, column = error.lineno or 1, error.offset or 1
            diagnostics.error("VG101", f"Python: {error.msg}", Span(span.file, line, column, column + 1))
            continue
        except (ValueError, RecursionError) as error:
            diagnostics.error("VG901", f"cannot read: {error}", span)
            continue
        module = custom_module(file)
        customs.texts[module] = text
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith(PREFIX):
                at = Span(span.file, node.lineno, node.col_offset + 5, node.col_offset + 5 + len(node.name))
                customs._add(node.name, module, at, diagnostics)
    return customs
