"""The declaration behind a check: its tag, and the marks of its errors."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from validation_gen.runtime.errors import FieldError


@dataclass(slots=True, eq=False, repr=False)
class Rule:
    """A tag of the source as generated code refers to it.

    Attributes:
        tag: the tag in canonical form.
        source: the type and the field with the tag: `RobotSpec.model`, or `RobotSpec` for a tag of the type.
        package: the import path of the package that declares the type, `""` where it is unknown.
        level: `"alpha"`, `"beta"` or `""`.
        short_circuit: whether its errors stop further checks.
        json_string: whether the checked value is of a named string type, which prints as JSON.
    """

    tag: str
    source: str
    package: str = ""
    _: KW_ONLY
    level: str = ""
    short_circuit: bool = False
    json_string: bool = False

    @property
    def place(self) -> str:
        """Returns the source with its package: `example.com/fleet/robots/v1.RobotSpec.model`. It is unique."""
        return f"{self.package}.{self.source}" if self.package and self.source else self.source

    def report(self, errs: list[FieldError] | None, found: list[FieldError], path: str) -> list[FieldError]:
        """Marks new errors as this rule's, at `path` below the value of the current function, and adds them to `errs`.

        Returns all of them. `errs` is `None` as long as there are none, so that a valid object costs no list.
        """
        for error in found:
            if path:
                error.segments.append(path)
            error.rule = self
            if error.json_string is None:
                error.json_string = self.json_string
        if errs is None:
            return found
        errs += found
        return errs


class Rules:
    """The rules of one package, as a generated module makes them.

    Args:
        package: the import path of the package.
    """

    __slots__ = ("package",)

    def __init__(self, package: str) -> None:
        self.package = package

    def of(
        self, source: str, tag: str, *, level: str = "", short_circuit: bool = False, json_string: bool = False
    ) -> Rule:
        """Returns the rule of a tag on a type (`Robot`) or on one of its fields (`RobotSpec.model`)."""
        return Rule(tag, source, self.package, level=level, short_circuit=short_circuit, json_string=json_string)


#: The rule of errors that no tag causes.
NO_RULE = Rule("", "")


def under(errs: list[FieldError] | None, path: str, found: list[FieldError]) -> list[FieldError]:
    """Moves the errors of a part under its path in the whole, and adds them to `errs`. Returns all of them."""
    for error in found:
        error.segments.append(path)
    if errs is None:
        return found
    errs += found
    return errs
