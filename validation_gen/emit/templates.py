"""The templates of generated files. They render the data of emitters and decide nothing."""

from __future__ import annotations

import functools
import os

import validation_gen

TYPE_CHECKING = False  # typing and pathlib are slow to import
if TYPE_CHECKING:
    from pathlib import Path

    import jinja2


def directory() -> Path:
    """`templates/`: inside the package when installed, at the top of the repository in a checkout."""
    from pathlib import Path  # noqa: PLC0415

    return Path(place())


def place() -> str:
    """The same as a text."""
    package = os.path.dirname(validation_gen.__file__)  # noqa: PTH120
    installed = os.path.join(package, "templates")  # noqa: PTH118
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), "templates")  # noqa: PTH112, PTH118, PTH120


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
    """Returns the text of a template with the given values."""
    return _environment().get_template(name).render(values)
