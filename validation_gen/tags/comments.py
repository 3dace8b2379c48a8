"""Comments as the readers of sources hand them on: the lines in which tags are looked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from validation_gen.diagnostics import Span

#: How a comment begins that speaks to this program by name.
PRAGMA = "validation-gen:"
#: How a tag begins.
TAG = "+k8s:"


@dataclass(frozen=True, slots=True)
class CommentLine:
    """One line of a comment without its marker (`//`), blanks kept.

    `span` covers exactly `text`; or all that `text` was made from, if it is not `literal`. A line that is `behind`
    stands on the line of other code than that which it is the comment of, which Kubernetes' generators overlook.
    `block` tells a line between `/*` and `*/`, where controller-gen looks for no markers. A `borrowed` line holds a tag
    of a package of Kubernetes that nothing is generated for: only definitions have what controller-gen makes of it.
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
