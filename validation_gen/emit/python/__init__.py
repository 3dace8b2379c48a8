"""A program as a Python package: a module for each API package, and a registry in front of them.

`emit_python` in `package` is the entry. `module` writes one module: its `constants`, and `functions` for each type,
which `cohorts`, `checks`, `loops` and `calls` fill. `guards` look at types, `changes` ask whether a field has changed,
`quickconditions` spare calls of checks that cannot fail, and `exact` tells `1` from `True`. The code has the form that
black gives it. Nothing here reads a file, and nothing knows a tag.
"""

from validation_gen.emit.python.package import emit_python
from validation_gen.emit.python.place import Trace

__all__ = ["Trace", "emit_python"]
