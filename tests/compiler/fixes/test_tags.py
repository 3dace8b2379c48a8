from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation_gen.compiler.fixes import correct_name, correct_text, levels_first
from validation_gen.rules.registry import catalogue
from validation_gen.tags.suggestions import certain


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        # names
        ("k8s:maxLenght=63", "k8s:maxLength=63"),
        ("k8s:MaxItems=5", "k8s:maxItems=5"),
        ("k8s:max-items=5", "k8s:maxItems=5"),
        ("k8s:listtype=map", "k8s:listType=map"),
        ("k8s: maxItems=5", "k8s:maxItems=5"),
        ("k8s:MaxItems:=5", "k8s:maxItems=5"),
        ("k8s:eachvals=+k8s:minimun=1", "k8s:eachVal=+k8s:minimum=1"),
        ("k8s:validation-gen-nolit # on trial", "k8s:validation-gen-nolint # on trial"),
        # syntax
        ("k8s:maxLength = 63", "k8s:maxLength=63"),
        ("k8s:maxLenght = 63 # why", "k8s:maxLength=63 # why"),
        ("k8s:item( name: x )=+k8s:required", "k8s:item(name: x)=+k8s:required"),
        ("k8s:format=k8s-ip // why", "k8s:format=k8s-ip # why"),
        ("k8s:ifEnabled(X):=+k8s:required", "k8s:ifEnabled(X)=+k8s:required"),
        # quotes
        ("k8s:neq=a/b", 'k8s:neq="a/b"'),
        ("k8s:format='k8s-ip'", 'k8s:format="k8s-ip"'),
        ('k8s:maxLength="63" # why', "k8s:maxLength=63 # why"),
        ("k8s:listMapKey=true", 'k8s:listMapKey="true"'),
        ("k8s:ifEnabled(5)=+k8s:required", 'k8s:ifEnabled("5")=+k8s:required'),
        ("k8s:ifMode(mode: 5)=+k8s:required", 'k8s:ifMode(mode: "5")=+k8s:required'),
        # what tags were called
        ('k8s:discriminator(union: "a")', 'k8s:modeDiscriminator(modality: "a")'),
        ("k8s:ifMode(value: A, union: b)=+k8s:required", "k8s:ifMode(mode: A, modality: b)=+k8s:required"),
        # nothing is wrong
        ("k8s:required", "k8s:required"),
        ("k8s:maxLength=63 # why", "k8s:maxLength=63 # why"),
        ('k8s:item(name: "a, b")=+k8s:required', 'k8s:item(name: "a, b")=+k8s:required'),
    ],
)
def test_corrected(text: str, meant: str) -> None:
    assert correct_text(text, "1.37") == meant
    assert correct_text(meant, "1.37") == meant


@pytest.mark.parametrize(
    "text",
    [
        "k8s:nope",
        "k8s:net=1",  # too short to tell
        "k8s:m_imum=1",  # minimum or maximum
        "k8s:eachVal=k8s:minimum=1",  # text or a tag
        'k8s:format="k8s-ip',
        r'k8s:neq="\d"',
        'k8s:format=a"b"',
        "k8s:eachVal=+k8s:nope",
        "",
    ],
)
def test_doubtful(text: str) -> None:
    assert correct_text(text, "1.37") is None


def test_names_are_those_of_the_target() -> None:
    assert correct_text("k8s:Discriminator", "1.36") == "k8s:discriminator"
    assert correct_text("k8s:discriminator", "1.36") == "k8s:discriminator"
    assert correct_text("k8s:Discriminator", "1.37") is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("k8s:eachVal=+k8s:alpha=+k8s:minimum=1 # why", "k8s:alpha=+k8s:eachVal=+k8s:minimum=1 # why"),
        (
            'k8s:eachVal=+k8s:beta(since: "1.35")=+k8s:minimum=1',
            'k8s:beta(since: "1.35")=+k8s:eachVal=+k8s:minimum=1',
        ),
        ("k8s:eachVal=+k8s:alpha=+k8s:beta=+k8s:minimum=1", None),
        ("k8s:alpha=+k8s:minimum=1", None),
        ("k8s:eachVal=+k8s:alpha", None),
        ("k8s:eachVal = 1", None),
    ],
)
def test_levels_first(text: str, meant: str | None) -> None:
    assert levels_first(text) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("kubebuilder:validation:MaxItem", "kubebuilder:validation:MaxItems"),
        ("kubebuilder:validation:maxItems", "kubebuilder:validation:MaxItems"),
        ("kubebuilder:resorce:path", "kubebuilder:resource:path"),
        ("kubebuilder:validation:MaxItem:", "kubebuilder:validation:MaxItems:"),
        ("kubebuilder:validation:Mimum", None),
        ("optinal", "optional"),
        ("nobody:knows", None),
    ],
)
def test_markers(name: str, meant: str | None) -> None:
    assert correct_name(name) == meant


@given(st.text("k8s:+=()\"'`, #//\n\\aMmAxX5-—éitemsrqud", max_size=40))
def test_any_text_is_borne(text: str) -> None:
    found = correct_text(f"k8s:{text}", "1.37")
    assert found is None or correct_text(found, "1.37") == found
    levels_first(f"k8s:eachVal=+k8s:{text}")
    correct_name(f"kubebuilder:{text}")


@given(st.data())
def test_what_is_certain_is_not_another_name(data: st.DataObject) -> None:
    """A slip in one name never makes certain that another one was meant."""
    names = list(catalogue())
    name = data.draw(st.sampled_from([name for name in names if len(name) > len("k8s:") + 5]))
    place = data.draw(st.integers(len("k8s:"), len(name) - 1))
    slip = data.draw(st.sampled_from(["drop", "double", "swap", "case", "dash"]))
    middle = {
        "drop": "",
        "double": name[place] * 2,
        "swap": name[place : place + 2][::-1],
        "case": name[place].swapcase(),
        "dash": f"-{name[place]}",
    }[slip]
    word = name[:place] + middle + name[place + (2 if slip == "swap" else 1) :]
    assert certain(word, names) in (name, None)
    if slip in ("case", "dash"):
        assert certain(word, names) == name
