"""Configurations as text, for tests that read them."""

from __future__ import annotations

from pathlib import Path

from validation_gen.cli.option_schema import sections
from validation_gen.compiler.config import Config, read_config
from validation_gen.diagnostics import Diagnostic, Diagnostics


def read(directory: Path, text: str, name: str = "validation-gen.toml") -> tuple[Config, list[Diagnostic]]:
    """What a configuration says, and what is wrong with it."""
    (directory / name).write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    return read_config(directory, diagnostics, sections()), diagnostics.sorted()


def values(config: Config, section: str) -> dict[str, object]:
    """The values of a command by the names of their keys."""
    return {name: setting.value for name, setting in config.find_settings(sections().load(section)).items()}
