"""The project's configuration: `[tool.validation-gen]` in a `pyproject.toml`, or a `validation-gen.toml`.

The nearest file upwards counts. Its keys are the long options of commands, so that a value means the same in both
places. Code that a configuration names is neither imported nor read here.
"""

from validation_gen.compiler.config.keys import Config, Key, Section, Setting
from validation_gen.compiler.config.reading import Sections, read_config

__all__ = ["Config", "Key", "Section", "Sections", "Setting", "read_config"]
