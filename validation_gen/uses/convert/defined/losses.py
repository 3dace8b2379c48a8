"""Reports contents of a definition that types cannot represent, at their locations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import one_line

#: Keywords that `explain` does not show, as they are in no schema.
_OF_DEFINITION = ("caBundle", "kind")
_Way = tuple[str | int, ...]


@dataclass(slots=True)
class Losses:
    """Collects the losses of one kind. `span` is the location of its name, `root` the schema to which `way` leads."""

    span: Span
    root: Any
    way: _Way
    locate: Callable[[Sequence[str | int]], Span]
    diagnostics: Diagnostics
    _ways: dict[int, _Way] = field(default_factory=dict)

    def lose(self, place: str, keyword: str, why: str, schema: Any = None) -> None:
        """Reports a keyword. Each report has its own help, so that none is dropped as a duplicate."""
        shown, place = one_line(keyword), one_line(place)
        help = f"`validation-gen explain {one_line(self.span.file)} '{place}'` shows the `{shown}` of the definition"
        if keyword in _OF_DEFINITION:
            help = f"write the `{shown}` of {place} into the definition that is made of it"
        message = f"`{shown}` of {place} cannot be converted: {why}"
        self.diagnostics.warning("VG107", message, self._span(schema, keyword), help)

    def _span(self, schema: Any, keyword: str) -> Span:
        if not self._ways:
            self._ways = {id(part): way for part, way in _parts(self.root, self.way)}
        way = self._ways.get(id(schema))
        return self.span if way is None else self.locate([*way, keyword])


def _parts(root: Any, way: _Way) -> Iterator[tuple[Any, _Way]]:
    """Yields all objects of a schema, with the paths to them."""
    waiting = [(root, way)]
    while waiting:
        part, way = waiting.pop()
        if isinstance(part, dict):
            yield part, way
            waiting += [(inner, (*way, key)) for key, inner in part.items()]
        elif isinstance(part, list):
            waiting += [(inner, (*way, number)) for number, inner in enumerate(part)]
