"""The project's configuration: `[tool.validation-gen]` in a `pyproject.toml`, or a `validation-gen.toml`.

The nearest file upwards counts. What may stand in it is declared elsewhere: each long option of a command is a key, so
that a value means the same in both places. Nothing that a configuration names is imported or read here.
"""

from validation_gen.build.config.keys import Config, Key, Section, Setting
from validation_gen.build.config.reading import Sections, read_config

__all__ = ["Config", "Key", "Section", "Sections", "Setting", "read_config"]
