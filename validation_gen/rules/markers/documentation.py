"""Documentation in a comment: its lines without markers and tags, as in controller-gen's schema descriptions."""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.tags.model import CommentLine


def documentation(lines: Sequence[CommentLine]) -> str:
    """Returns the text of a doc comment.

    Lines that begin with a plus sign are markers. Repeated empty lines become one. Lines that begin with TODO are no
    documentation, nor is the text below a line of dashes, as in Kubernetes; blocks of code keep both.
    """
    text = _without_markers(lines)
    kept: list[str] = []
    in_code = False
    for line in text:
        if line.startswith(("```", "~~~")):
            in_code = not in_code
        if not in_code:
            if line.startswith("TODO"):
                continue
            if line.startswith("---"):
                break
        kept.append(line)
    return "\n".join(kept)


def _without_markers(lines: Sequence[CommentLine]) -> list[str]:
    """Returns the lines as Go prints them, without trailing comments of the line above."""
    # Lines of block comments may be indented freely, and markers of controller-gen are text there.
    is_block = any(line.block for line in lines)
    found: list[str] = []
    for line in lines:
        if line.text.strip().startswith("+k8s:" if line.block else "+"):
            continue
        text = (line.text.strip() if is_block else line.text.removeprefix(" ")).rstrip()
        if text or (found and found[-1]):
            found.append(text)
    while found and not found[-1]:
        found.pop()
    return found
