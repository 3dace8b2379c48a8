"""What `validation-gen convert` writes: constants, comments two lines above, and modules below a `--module`."""

from collections.abc import Callable

from tests.sources.python.conftest import Read
from tests.sources.python.test_declarations import fields_of, package_of, texts

Reader = Callable[..., Read]


def test_constants_of_aliases_are_their_values(read: Reader) -> None:
    found = read(
        "# +k8s:enum\nMood: TypeAlias = str\n\n# +k8s:enumExclude\nCALM: Mood = 'Calm'\nWILD: Mood = 'Wild'  # +x\n"
        "NUMBER: Mood = 5\nOTHER: str = 'a'\nPLAIN = 'b'\n"
    )
    constants = [(str(c.type), c.name, c.value, texts(c.comments)) for c in package_of(found).constants]
    assert constants == [("m.Mood", "CALM", "Calm", [" +k8s:enumExclude"]), ("m.Mood", "WILD", "Wild", [" +x"])]


def test_the_second_comment_stands_one_or_two_lines_above(read: Reader) -> None:
    for gap, want in ((0, []), (1, [" a"]), (2, [" a"]), (3, [])):
        lines = "\n" * gap
        found = read(f"x = 1\n# a\n{lines}# b\n@dataclass\nclass C:\n    a: str\n")
        assert texts(package_of(found).types["C"].second_closest) == want
    found = read("x = 1\n# a\ny = 2\n\n\n# b\n@dataclass\nclass C:\n    a: str\n")
    assert texts(package_of(found).types["C"].second_closest) == []


def test_an_enum_may_be_one_behind_another_tag(read: Reader) -> None:
    found = read("# +k8s:alpha=+k8s:enum\nclass Mood(str, Enum):\n    CALM = 'Calm'\n")
    assert texts(package_of(found).types["Mood"].closest) == [" +k8s:alpha=+k8s:enum"]


def test_a_field_without_json_may_have_a_name_in_go(read: Reader) -> None:
    (member,) = fields_of(read('@dataclass\nclass C:\n    a: Annotated[str, Json("-", go="URL")]\n')).values()
    assert (member.go_name, member.json, member.omitted) == ("URL", "", True)


def test_types_are_in_the_order_of_the_file(read: Reader) -> None:
    found = read("A: TypeAlias = str\n@dataclass\nclass C:\n    a: str\nB: TypeAlias = str\n")
    assert list(package_of(found).types) == ["A", "C", "B"]


def test_the_root_of_a_module(read: Reader) -> None:
    head = "from dataclasses import dataclass\n# +k8s:x\n"
    found = read(
        {
            "fleet/__init__.py": f"{head}from .robots.v1 import A\n@dataclass\nclass C:\n    a: A\n",
            "fleet/robots/__init__.py": "",
            "fleet/robots/v1.py": f"{head}@dataclass\nclass A:\n    a: str\n",
            "fleet/robots/v2.py": f"{head}from ... import fleet\nfrom .. import C\n@dataclass\nclass B:\n    c: C\n",
        },
        "fleet",
        modules={"example.com/fleet": "fleet"},
    )
    package = package_of(found, "example.com/fleet")
    assert (package.name, package.module) == ("fleet", "example.com/fleet")
    assert str(fields_of(found, "C", "example.com/fleet")["a"].type) == "example.com/fleet/robots/v1.A"
    assert str(fields_of(found, "B", "example.com/fleet/robots/v2")["c"].type) == "example.com/fleet.C"
