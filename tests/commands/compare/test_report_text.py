"""What the terminal shows of a comparison."""

from __future__ import annotations

import re

import pytest

from tests.commands.compare.sample_results import FILE, SHELF, WIDGET, clean, hostile, is_harmless, many, ordinary
from validation_gen.commands.compare.report import render_concise, render_text
from validation_gen.commands.compare.results import Results

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

GOLDEN = """\
example.com/shop/v1/types.go:14:5: rule differs: 1,204 handwritten errors without counterpart
   |
12 | type Port struct {
13 |     // Name of the port.
14 |     // +k8s:maxLength=64
   |        ^^^^^^^^^^^^^^^^^
15 |     Name string `json:"name"`
   |
  = where: shop.example.com/v1/Widget, create, spec.ports[*].name: FieldValueTooLong (maxLength)
  = tag: +k8s:maxLength=64
  = why: The tag +k8s:maxLength=64 declares the rule, and accepts this value of 64 characters.
  = object: objects.yaml:12, the smallest of 1,204
      apiVersion: shop.example.com/v1
      kind: Widget
      metadata:
        name: w-1
        labels:
          app.kubernetes.io/name: shop
      spec:
        size: 3
        ports:
        - name: http
          port: 80
    >   - name: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn  <-- the value
          # … 1 more field
  = handwritten:
    > spec.ports[1].name: Too long: may not be more than 63 bytes (origin maxLength)
    = spec.size: Invalid value: 3: must be even
  = declarative:
    = spec.size: Invalid value: 3: must be even (beta rule)

example.com/shop/v1/types.go:31:5: rule extra: 87 declarative errors without counterpart
   |
31 |     // +k8s:immutable
   |        ^^^^^^^^^^^^^^
32 |     Mode string `json:"mode"`
   |
  = where: shop.example.com/v1/Widget, update /status, spec.mode: FieldValueInvalid (immutable)
  = tag: +k8s:immutable
  = why: No handwritten check reports that spec.mode has changed.
  = options: Fast=on, Slow=off
  = object: audit.log:991, the smallest of 87
      spec:
    >   mode: fast  <-- the value
        size: 4
      status:
        phase: Ready
        phases:
        - New
        - Ready
  = update: what changes (- old, + new)
        spec:
      -   mode: slow
      +   mode: fast
          size: 4
        status:
      -   phase: New
      +   phase: Ready
          phases:
          - New
      +   - Ready
  = handwritten: accepts the object
  = declarative:
    > spec.mode: Invalid value: "fast": field is immutable (origin immutable)

example.com/shop/v1/types.go:60:5: path differs: 5 pairs of errors that differ
  = where: shop.example.com/v1/Widget, create, update, spec.limits[*]: FieldValueInvalid
           (format=k8s-quantity)
  = tag: +k8s:format="k8s-quantity"
  = why: The handwritten side reports the same at spec.limits.cpu.
  = object: c.yaml:7, the smallest of 5
      spec:
        size: 3
        limits:
    >     cpu: x  <-- the value
  = handwritten:
    = spec.mode: Required value
    > spec.limits.cpu: Invalid value: "x": no quantity (origin format=k8s-quantity)
  = declarative:
    > spec.limits[cpu]: Invalid value: "x": must be a quantity (origin format=k8s-quantity)
    = spec.mode: Required value

example.com/shop/v1.Shelf: rule missing: 1 handwritten error without counterpart
  = where: example.com/shop/v1.Shelf, create, aisle: FieldValueRequired
  = why: No tag declares that aisle is required.
  = object: made for this run, has no aisle
      {}
  = handwritten:
    > aisle: Required value: must be set
  = declarative: accepts the object

Expected differences: 3 mismatches
  3 x shop.example.com/v1/Widget, update, spec.size: FieldValueInvalid (minimum)
    Negative sizes were valid in v1beta1; see the note of release 4.

Not compared: 2 inputs
  objects.yaml:70: no kind Gadget
  objects.yaml:91: not JSON

  97.7 %  of        43 agree: example.com/shop/v1.Shelf, create
  88.0 %  of    10,004 agree: shop.example.com/v1/Widget, create
  81.6 %  of       490 agree: shop.example.com/v1/Widget, update /status
Rules: 3 of 5 exercised, 2 never exercised.
Time: 12.5 s, 843 requests a second (handwritten 3.25 s, declarative 42.1 ms).
10,537 requests compared, 87.7 % agree, 1,297 mismatches in 4 groups, 3 expected, 1 panic, 2 inputs not compared
"""

EXPECTED = "(expected: Negative sizes were valid in v1beta1; see the note of release 4.)"
CONCISE = [
    f"{FILE}:14:5: rule differs: 1,204 x {WIDGET}, create, spec.ports[*].name: FieldValueTooLong (maxLength)",
    f"{FILE}:31:5: rule extra: 87 x {WIDGET}, update /status, spec.mode: FieldValueInvalid (immutable)",
    f"{FILE}:60:5: path differs: 5 x {WIDGET}, create, update, spec.limits[*]: FieldValueInvalid (format=k8s-quantity)",
    f"{SHELF}: rule missing: 1 x {SHELF}, create, aisle: FieldValueRequired",
    f"{FILE}:20:5: ratcheted away: 3 x {WIDGET}, update, spec.size: FieldValueInvalid (minimum) {EXPECTED}",
    "10,537 requests compared, 87.7 % agree, 1,297 mismatches in 4 groups, 3 expected, 1 panic, 2 inputs not compared",
]


def test_everything_at_its_place() -> None:
    assert render_text(ordinary(), color=False, width=100) == GOLDEN


def test_one_line_a_group() -> None:
    assert render_concise(ordinary(), color=False) == "\n".join(CONCISE) + "\n"


@pytest.mark.parametrize("results", [ordinary(), clean(), hostile(), Results()])
def test_colours_add_nothing_but_colours(results: Results) -> None:
    for render in (render_text, render_concise):
        assert ESCAPE.sub("", render(results, color=True)) == render(results, color=False)


def test_hostile_texts_move_no_cursor() -> None:
    for text in (render_text(hostile(), color=False), render_concise(hostile(), color=False)):
        assert all(is_harmless(line) for line in text.split("\n"))
        text.encode()
        assert max(map(len, text.split("\n"))) < 1500


def test_a_clean_run_is_short() -> None:
    assert render_text(clean(), color=False).split("\n")[-4:] == [
        "Rules: 5 of 5 exercised.",
        "Time: 12.5 s, 843 requests a second (handwritten 3.25 s, declarative 42.1 ms).",
        "10,537 requests compared, 100 % agree, no mismatches",
        "",
    ]
    assert render_text(Results(), color=False) == "0 requests compared, no mismatches\n"


def test_the_most_frequent_groups_are_shown() -> None:
    text = render_text(many(32), color=False)
    assert text.count("= why:") == 20
    assert "\n… and 12 more (see the report)\n" in text
    assert len(render_concise(many(32), color=False).splitlines()) == 33


def test_sentences_are_folded_at_the_width() -> None:
    lines = render_text(ordinary(), color=False, width=60).split("\n")
    why = lines.index("  = why: The tag +k8s:maxLength=64 declares the rule, and")
    assert lines[why + 1] == "         accepts this value of 64 characters."


def test_an_interrupted_run_says_so() -> None:
    results = ordinary()
    results.interrupted = True
    assert "interrupted: the numbers are those of a part of the input\n" in render_text(results, color=False)


def test_the_same_results_give_the_same_text() -> None:
    assert render_text(ordinary(), color=False) == render_text(ordinary(), color=False)
    assert render_text(Results.from_json(ordinary().as_json()), color=False) == render_text(ordinary(), color=False)
