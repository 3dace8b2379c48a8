"""Tags that nobody reads are reported, and no others."""

from collections.abc import Callable

import pytest

from tests.sources.python.conftest import HEAD_LINES, Read
from tests.tables import each

Reader = Callable[..., Read]


@each(
    ("text", "line"),
    [
        ("@dataclass\n# +k8s:opaqueType\nclass C:\n    a: str\n", 2),
        ('@dataclass\nclass C:\n    """Text.\n\n    +k8s:opaqueType\n    """\n\n    a: str\n', 5),
        ('@dataclass\nclass C:\n    a: str\n    """+k8s:required"""\n', 4),
        ("@dataclass\nclass C:\n    # +k8s:required\n\n    a: str\n", 3),
        ("@dataclass\nclass C:\n    _a: str  # +k8s:required\n", 3),
        ("@dataclass\nclass C:\n    # +k8s:required\n    def f(self): ...\n", 3),
        ("def f():\n    @dataclass\n    class C:\n        a: str  # +k8s:required\n", 4),
        ("@dataclass\nclass C:\n    a: str  # +k8s:required\n@dataclass\nclass C:\n    b: str\n", 3),
        ("Name: TypeAlias = str\n\n# +k8s:maxLength=3\n", 3),
        ("x = 1\n# +k8s:maxLength=3\nName = str\n", 2),
    ],
)
def test_a_tag_that_belongs_to_nothing(read: Reader, text: str, line: int) -> None:
    found = read(text)
    ((code, message, help),) = found.problems
    assert (code, message.partition(" ")[2]) == ("VG201", "belongs to nothing here")
    assert help.startswith("put it right above a field")
    assert found.places[0].startswith(f"m.py:{HEAD_LINES + line}:")


@pytest.mark.parametrize(
    "text",
    [
        "class C:\n    # +k8s:required\n    # +k8s:maxLength=3\n    a: str\n",
        "class C:\n    a: Annotated[str, Required]\n",
        "# +k8s:opaqueType\nclass C(typing.TypedDict):\n    a: str\n",
    ],
)
def test_a_class_that_is_no_type(read: Reader, text: str) -> None:
    found = read(f"x = 1\n\n{text}")
    assert found.problems == [
        ("VG201", "the class `C` has tags, but no fields that could be read", "make it a dataclass")
    ]


def test_other_modules_and_other_comments_are_let_be(read: Reader) -> None:
    files = {
        "m.py": "from lib import C\nfrom dataclasses import dataclass\n@dataclass\nclass M:\n    c: C\n"
        "    # a +k8s: tag\n",
        "lib.py": "class C:\n    a: str  # +k8s:required\n",
    }
    assert not [problem for problem in read(files, "m.py").problems if problem[0] == "VG201"]
