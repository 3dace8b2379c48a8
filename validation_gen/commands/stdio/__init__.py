"""The line protocols for other programs: one request in, one answer out, as JSON (see docs/protocol.md).

`types` answers for Go and Python types, and `plain` is its fast path for usual requests; `objects` answers for custom
objects and their definitions. `arriving` reads the lines.
"""

from __future__ import annotations

from validation_gen.commands.stdio.arriving import arriving
from validation_gen.commands.stdio.objects import answer_objects
from validation_gen.commands.stdio.types import answer_lines

__all__ = ["answer_lines", "answer_objects", "arriving"]
