"""The templates of generated files. They lay out what emitters hand them and decide nothing."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import validation_gen

if TYPE_CHECKING:
    import jinja2


def directory() -> Path:
    """`templates/`: inside the package when installed, at the top of the repository in a checkout."""
    package = Path(validation_gen.__file__).parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - a slow import that only generation needs

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(directory()),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - the output is Python, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render_template(name: str, **values: object) -> str:
    """The text of a template with the given values."""
    return _environment().get_template(name).render(values)
