"""Texts made from other texts: some bytes changed, lines moved, words replaced by hostile ones.

A mutation takes a random generator and bytes, and returns bytes. The same seed gives the same result everywhere.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

Mutation = Callable[[random.Random, bytes], bytes]

#: Words that have broken readers of text before, here or elsewhere.
HOSTILE = [
    *(b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\x1b]0;x\x07", b"\xe2\x80\xae", b"\xe2\x80\xa8"),
    *(b"{{", b"{%", b"}}", b"%s", b"{0}", b'"""', b"'''", b"\\", b"\\u0000", b"`", b"${x}", b"$(x)", b"::error::x"),
    *(b"../../../x", b"/abs/x", b"C:\\x", b"con", b"-", b"--", b"~", b"*", b"..", b"a" * 300, b"]]>", b"</script>"),
    *(b"9" * 5000, b"-9223372036854775809", b"1e999", b"0x_1", b"NaN", b"null", b"[" * 300, b"(" * 300, b"{" * 300),
]
_TAGS = [
    *("+k8s:eachVal=", "+k8s:eachKey=", "+k8s:item(name: ", "+k8s:subfield(x)=", "+k8s:listType=", "+k8s:listMapKey="),
    *(
        "+k8s:unionMember",
        "+k8s:unionDiscriminator",
        "+k8s:ifEnabled(X)=",
        "+k8s:ifMode(a)=",
        "+k8s:enum",
        "+k8s:update=",
    ),
    *("+k8s:maximum=", "+k8s:format=", "+k8s:unique=", "+k8s:alpha(since: ", "+groupName=", "+k8s:validation-gen="),
    *("+k8s:neq=", "+k8s:customValidation=", "+k8s:dependentRequired=", "+k8s:immutable", "+k8s:monotonic"),
    *("+kubebuilder:validation:XValidation:rule=", "+kubebuilder:validation:Pattern=", "+kubebuilder:default="),
    *("+kubebuilder:resource:path=", "+kubebuilder:object:root=true", "+listType=", "+default=", "+optional"),
]
_WORD = re.compile(rb"[A-Za-z_][\w.-]*|\d+|\"[^\"\n]*\"")


def flip(draw: random.Random, text: bytes) -> bytes:
    """Changes one byte."""
    if not text:
        return b"\0"
    at = draw.randrange(len(text))
    return text[:at] + bytes([draw.randrange(256)]) + text[at + 1 :]


def cut(draw: random.Random, text: bytes) -> bytes:
    """Takes a stretch out."""
    start = draw.randrange(len(text) + 1)
    return text[:start] + text[start + draw.choice([1, 3, 20, 200]) :]


def insert(draw: random.Random, text: bytes) -> bytes:
    """Puts a hostile word anywhere."""
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(HOSTILE) + text[at:]


def replace_word(draw: random.Random, text: bytes) -> bytes:
    """Puts a hostile word, or another word of the text, in the place of a word."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    at = draw.choice(words)
    instead = draw.choice(HOSTILE) if draw.random() < 0.5 else draw.choice(words).group()
    return text[: at.start()] + instead + text[at.end() :]


def move_line(draw: random.Random, text: bytes) -> bytes:
    """Moves a line, or says it again elsewhere."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    line = draw.choice(lines)
    if draw.random() < 0.5:
        lines.remove(line)
    lines.insert(draw.randrange(len(lines) + 1), line)
    return b"".join(lines)


def add_tag(draw: random.Random, text: bytes) -> bytes:
    """Adds a tag above a line, with an argument that may mean anything."""
    lines = text.splitlines(keepends=True)
    tag = draw.choice(_TAGS).encode()
    if draw.random() < 0.3:
        tag += draw.choice(_TAGS).encode()
    tag += draw.choice([b"", b"x", b"5", b'"a"', b"-1)", b"true", *HOSTILE]).replace(b"\n", b"")
    lines.insert(draw.randrange(len(lines) + 1), b"\t// " + tag + b"\n")
    return b"".join(lines)


def add_python_tag(draw: random.Random, text: bytes) -> bytes:
    """The same as a comment of Python."""
    return add_tag(draw, text).replace(b"\t// ", b"    # ")


GO: Sequence[Mutation] = (flip, cut, insert, replace_word, replace_word, move_line, add_tag, add_tag, add_tag)
PYTHON: Sequence[Mutation] = (flip, cut, insert, replace_word, replace_word, move_line, add_python_tag, add_python_tag)
PLAIN: Sequence[Mutation] = (flip, cut, insert, replace_word, replace_word, move_line)


def mutated(draw: random.Random, text: bytes, mutations: Sequence[Mutation]) -> bytes:
    """A text after one to four mutations."""
    for _ in range(draw.choice([1, 1, 1, 2, 2, 3, 4])):
        text = draw.choice(mutations)(draw, text)
    return text
