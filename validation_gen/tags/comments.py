"""Comment lines from the readers of sources, which may have tags."""

from __future__ import annotations

from dataclasses import dataclass, field

from validation_gen.diagnostics import Span

#: Prefix of a comment that addresses this program by name.
PRAGMA = "validation-gen:"
#: Prefix of a tag.
TAG = "+k8s:"


@dataclass(frozen=True, slots=True)
class CommentLine:
    """One line of a comment without its marker (`//`), blanks kept.

    `span` covers exactly `text`; or the whole source of `text`, if it is not `literal`. A line that is `behind` is on
    the line of other code than that which it comments on, which Kubernetes' generators overlook. `block`: the line is
    between `/*` and `*/`, where controller-gen finds no markers. A `borrowed` line has a tag of a package of Kubernetes
    for which nothing is generated: it only affects definitions, as in controller-gen.
    """

    text: str
    span: Span
    literal: bool = True
    behind: bool = field(default=False, compare=False)
    block: bool = field(default=False, compare=False)
    borrowed: bool = field(default=False, compare=False)

    @property
    def is_pragma(self) -> bool:
        return self.text.lstrip().startswith(PRAGMA)
