"""Tags as values: what is written for them is what the parser reads and the catalogue takes."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
import typing
from collections.abc import Callable
from enum import Enum as PythonEnum
from pathlib import Path
from typing import Annotated

import pytest
from generated_files import class_name, vocabulary
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen import tags
from validation_gen.diagnostics import Span
from validation_gen.rules.base import Rule
from validation_gen.rules.registry import catalogue
from validation_gen.tags import (
    VOCABULARY,
    Alpha,
    EachVal,
    Format,
    IfEnabled,
    IfMode,
    Immutable,
    Item,
    MaxLength,
    Neq,
    Required,
    Subfield,
    TagValue,
    UnionMember,
    Update,
    ValidateFalse,
)
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.parser import RawTag, parse
from validation_gen.types.naming import attribute_name, json_name

RULES = {class_name(rule): rule for rule in catalogue().values()}
each_tag = pytest.mark.parametrize("name", RULES)


def parsed(value: TagValue) -> Tag:
    text = str(value)
    return parse(RawTag("", text[1:], Span("", 1, 1, 1 + len(text))))


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_vocabulary_is_up_to_date() -> None:
    assert Path(tags.__file__).read_text(encoding="utf-8") == vocabulary(), "run `make docs`"


def test_every_tag_of_the_catalogue_has_a_class() -> None:
    assert VOCABULARY.keys() == RULES.keys()
    assert {*VOCABULARY, "TagValue", "VOCABULARY"} == set(tags.__all__)
    for name, cls in VOCABULARY.items():
        assert getattr(tags, name) is cls
        assert (cls.__name__, cls.form.tag) == (name, RULES[name].name)


def test_names_of_arguments_survive_the_way_through_python() -> None:
    names = {spec.name for rule in RULES.values() for spec in rule.args}
    assert {json_name(attribute_name(name)) for name in names if name} == names - {""}


@pytest.mark.parametrize("module", ["validation_gen.tags", "validation_gen.types.meta"])
def test_importing_takes_nothing_but_python(module: str) -> None:
    script = f"import sys; before = set(sys.modules); import {module}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    allowed = {"tags", "tags.values", "types", "types.meta", "types.naming"}
    assert ours <= {"validation_gen", *(f"validation_gen.{name}" for name in allowed)}


# --- what is written -------------------------------------------------------------------------------------------------


@each(
    ("value", "text"),
    [
        (Required(), "+k8s:required"),
        (MaxLength(64), "+k8s:maxLength=64"),
        (Format("k8s-uuid"), '+k8s:format="k8s-uuid"'),
        (EachVal(Format("k8s-uuid")), '+k8s:eachVal=+k8s:format="k8s-uuid"'),
        (EachVal(Required), "+k8s:eachVal=+k8s:required"),
        (IfEnabled("Fast", Required()), '+k8s:ifEnabled("Fast")=+k8s:required'),
        (IfMode("Static", Required()), '+k8s:ifMode("Static")=+k8s:required'),
        (IfMode(Required(), mode="a", modality="m"), '+k8s:ifMode(modality: "m", mode: "a")=+k8s:required'),
        (UnionMember(), "+k8s:unionMember"),
        (UnionMember("a"), '+k8s:unionMember="a"'),
        (UnionMember(union="u", member_name="a"), '+k8s:unionMember(union: "u", memberName: "a")'),
        (Item(Immutable(), type="Ready"), '+k8s:item(type: "Ready")=+k8s:immutable'),
        (Item(Immutable(), host_port=80, tls=True), "+k8s:item(hostPort: 80, tls: true)=+k8s:immutable"),
        (Item(Immutable(), hostPort=80), "+k8s:item(hostPort: 80)=+k8s:immutable"),
        (Subfield("name", Format("k8s-short-name")), '+k8s:subfield("name")=+k8s:format="k8s-short-name"'),
        (Alpha(Required(), since="1.35"), '+k8s:alpha(since: "1.35")=+k8s:required'),
        (Update("NoSet"), '+k8s:update="NoSet"'),
        (Neq(5), "+k8s:neq=5"),
        (Neq("5"), '+k8s:neq="5"'),
        (Neq(False), "+k8s:neq=false"),
        (ValidateFalse("no", type_arg="T"), '+k8s:validateFalse(typeArg: "T")="no"'),
    ],
    ids=str,
)
def test_a_value_is_the_comment_that_it_stands_for(value: TagValue, text: str) -> None:
    assert str(value) == text
    assert str(parsed(value)) == text


def test_a_member_of_a_string_enum_is_its_value() -> None:
    class Phase(str, PythonEnum):
        IDLE = "Idle"

    assert str(Neq(Phase.IDLE)) == '+k8s:neq="Idle"'


TEXTS = st.text(st.characters() | st.sampled_from("\"\\`'\n\r\t#=+(),: \u2028\x85\0"))
NUMBERS = st.integers(-(2**63), 2**63 - 1)
SCALARS = {
    ValueType.STRING: TEXTS,
    ValueType.INT: NUMBERS,
    ValueType.BOOL: st.booleans(),
    ValueType.RAW: TEXTS | NUMBERS | st.booleans(),
}
CHAINED = st.sampled_from([Required(), MaxLength(1), EachVal(IfEnabled("a", Format('"')))])
KEYS = st.dictionaries(st.from_regex(r"[a-z][A-Za-z0-9.-]*", fullmatch=True), SCALARS[ValueType.RAW], min_size=1)


def decoded(value: object) -> tuple[str, ValueType]:
    """A scalar as the parser has it."""
    if isinstance(value, bool):
        return ("true" if value else "false"), ValueType.BOOL
    return str(value), ValueType.INT if isinstance(value, int) else ValueType.STRING


def build(cls: type[TagValue], *values: object, **named: object) -> TagValue:
    """Calls a class whose parameters are known by its rule only."""
    make: Callable[..., TagValue] = cls
    return make(*values, **named)


def on_one_line(value: object) -> bool:
    """Whether a file of source lines in UTF-8 can hold a text, by what Python itself says of it."""
    if not isinstance(value, str):
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "".join(value.splitlines()) == value and "\0" not in value


@each_tag
@given(data=st.data())
def test_whatever_is_written_is_read_again(name: str, data: st.DataObject) -> None:
    rule, cls = RULES[name], VOCABULARY[name]
    positional = [spec for spec in rule.args if not spec.name]
    named = {spec.name: data.draw(SCALARS[spec.type] | st.none(), spec.name) for spec in rule.args if spec.name}
    named = {key: value for key, value in named.items() if value is not None}
    first = [data.draw(SCALARS[spec.type]) for spec in positional if spec.required or not named]
    if rule.other_args:
        named = data.draw(KEYS)
    if rule.payload is None:
        payload = None
    else:
        payloads = CHAINED if rule.payload.type is ValueType.TAG else SCALARS[rule.payload.type]
        payload = data.draw(payloads if rule.payload.required else payloads | st.none())
    values = [*first, *([payload] if rule.payload else [])]
    keywords = named if rule.other_args else {attribute_name(key): value for key, value in named.items()}

    if not all(map(on_one_line, [*values, *named.values()])):
        with pytest.raises(ValueError, match="cannot stand on one line"):
            build(cls, *values, **keywords)
        return
    value = build(cls, *values, **keywords)
    tag = parsed(value)
    assert tag.name == rule.name
    arguments = [("", *decoded(v)) for v in first] + [(key, *decoded(v)) for key, v in named.items()]
    assert [(arg.name, arg.value, arg.type) for arg in tag.args] == arguments
    if isinstance(payload, TagValue):
        assert str(tag.payload) == str(payload)
    else:
        assert (tag.value, tag.value_type) == ((None, ValueType.NONE) if payload is None else decoded(payload))
    assert str(tag) == str(value)
    assert value == build(cls, *values, **keywords)
    assert rule.other_args or eval(repr(value), dict(VOCABULARY)) == value


# --- what is refused -------------------------------------------------------------------------------------------------


@each(
    ("make", "message"),
    [
        (lambda: build(MaxLength, "64"), "MaxLength: value must be an int, not '64'"),
        (lambda: build(MaxLength, True), "MaxLength: value must be an int, not True"),
        (lambda: build(MaxLength, 1.0), "MaxLength: value must be an int, not 1.0"),
        (lambda: build(Format, None), "Format: value must be a string, not None"),
        (lambda: build(Neq, 1.5), "Neq: value must be a string, an int or a bool, not 1.5"),
        (lambda: build(EachVal, "k8s:required"), "EachVal: tag must be a tag, not 'k8s:required'"),
        (lambda: build(EachVal, str), "EachVal: tag must be a tag, not <class 'str'>"),
        (lambda: build(IfEnabled, Required(), "Fast"), r"IfEnabled: argument must be a string, not Required\(\)"),
        (lambda: build(UnionMember, union=5), "UnionMember: union must be a string, not 5"),
        (lambda: build(Item, Immutable(), type=None), "Item: type must be a string, an int or a bool, not None"),
        (lambda: build(IfMode), "IfMode: 0 positional arguments are not what the tag takes"),
        (lambda: build(IfMode, "a"), "IfMode: tag must be a tag, not 'a'"),
        (
            lambda: build(IfMode, "a", Required(), mode="a"),
            "IfMode: a positional argument and named ones cannot be mixed",
        ),
        (lambda: build(MaxLength), "missing 1 required positional argument: 'value'"),
        (lambda: build(EachVal, Format), "missing 1 required positional argument: 'value'"),
        (lambda: build(Required, 1), "takes 1 positional argument but 2 were given"),
        (lambda: build(UnionMember, memberName="a"), "unexpected keyword argument 'memberName'"),
        (TagValue, "TagValue is what tags have in common, not a tag"),
        (lambda: build(EachVal, TagValue), "TagValue is what tags have in common, not a tag"),
    ],
)
def test_what_the_tag_does_not_take_is_a_type_error(make: Callable[[], TagValue], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


@each(
    ("make", "message"),
    [
        (lambda: MaxLength(2**63), "MaxLength: value does not fit into 64 bits"),
        (lambda: Item(Required(), port=-(2**63) - 1), "Item: port does not fit into 64 bits"),
        (lambda: Format("a\nb"), r"Format: value cannot stand on one line of a file: 'a\\nb'"),
        (lambda: IfEnabled("\r", Required()), "IfEnabled: argument cannot stand on one line"),
        (lambda: UnionMember(member_name="\ud800"), "UnionMember: member_name cannot stand on one line"),
        (lambda: Item(Required(), **{"a b": 1}), "Item: 'a b' cannot be the name of an argument"),
    ],
)
def test_what_no_comment_can_hold_is_a_value_error(make: Callable[[], TagValue], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


# --- values as Python has them ---------------------------------------------------------------------------------------


def test_values_are_equal_when_they_are_the_same_tag() -> None:
    assert MaxLength(64) == MaxLength(64)
    assert len({MaxLength(64), MaxLength(64), MaxLength(65), Required()}) == 3
    assert Neq(1) != Neq(True)
    assert Neq(1) != Neq("1")
    assert MaxLength(64) != "+k8s:maxLength=64"
    assert Item(Required(), hostPort=1) == Item(Required(), host_port=1)


def test_values_cannot_be_changed() -> None:
    value = MaxLength(64)
    with pytest.raises(AttributeError, match="MaxLength cannot be changed"):
        value._text = "+k8s:maxLength=65"
    with pytest.raises(AttributeError, match="MaxLength cannot be changed"):
        del value._text
    assert str(value) == "+k8s:maxLength=64"


def test_values_can_be_copied_and_stored() -> None:
    value = Alpha(EachVal(Format("k8s-uuid")), since="1.36")
    assert copy.deepcopy(value) == copy.copy(value) == pickle.loads(pickle.dumps(value)) == value


def test_a_value_is_shown_as_it_is_written_in_python() -> None:
    assert repr(IfEnabled("Fast", Item(Required, type="Ready"))) == "IfEnabled('Fast', Item(Required(), type='Ready'))"
    assert repr(UnionMember(member_name="a")) == "UnionMember(member_name='a')"


def test_annotations_keep_values() -> None:
    annotated = Annotated[list[str], MaxLength(2), Required]
    assert typing.get_args(annotated) == (list[str], MaxLength(2), Required)
    assert Annotated[str, MaxLength(1)] | None == Annotated[str, MaxLength(1)] | None


@each("name", RULES)
def test_signatures_follow_the_rule(name: str) -> None:
    """The positional argument first, then the payload, then names."""
    rule: Rule = RULES[name]
    parameters = list(inspect.signature(VOCABULARY[name]).parameters.values())
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    assert names == [attribute_name(spec.name) for spec in rule.args if spec.name]
    if any(not spec.name and not spec.required for spec in rule.args):
        assert parameters[0].kind is inspect.Parameter.VAR_POSITIONAL
        return
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY]
    payload = [] if rule.payload is None else ["tag" if rule.payload.type is ValueType.TAG else "value"]
    assert positional == [*("argument" for spec in rule.args if not spec.name), *payload]
