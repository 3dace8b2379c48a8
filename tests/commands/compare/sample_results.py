"""Results to make reports of: ordinary ones, hostile ones, none and very many."""

from __future__ import annotations

from typing import Any

from validation_gen.commands.compare.groups import Example, Group, Sort
from validation_gen.commands.compare.report import History, Problem, Run, to_run
from validation_gen.commands.compare.results import Results, RuleUse, Tally
from validation_gen.diagnostics.visible import has_hidden
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import render_error

WIDGET = "shop.example.com/v1/Widget"
SHELF = "example.com/shop/v1.Shelf"
FILE = "example.com/shop/v1/types.go"

#: What must do no harm in any report.
HOSTILE = (
    "</script><script>alert(1)</script>",
    '<b onclick="x()">bold</b>',
    "\u202eabc\u2066 \u05d0\u05d1\u05d2",
    "a\0b\x1b[31mred\x07\r\n",
    "half \ud800 pair \udfff",
    "x" * 10_000,
    "🦀👩‍👩‍👧 ünïcödé \u2028 \ufeff",
    "{{ 7 * 7 }} {% raw %}",
    "]]> --> <!-- &amp; &",
    "",
)


def is_harmless(text: str) -> bool:
    """Whether a report may hold a text: people see all of it but the joiners of emoji."""
    return not has_hidden(text) and text.replace("\u200d", "").isprintable()


def sort(path: str, type: str, cause: str, **more: str) -> Sort:
    """A sort of mismatches, of the handwritten side unless said otherwise."""
    rest = {"kind": WIDGET, "operation": "create", "side": "handwritten", "origin": "", "tag": "", "source": ""}
    return Sort(path=path, type=type, cause=cause, **rest | more)


def example(obj: Any, handwritten: list[FieldError], declarative: list[FieldError], **more: Any) -> Example:
    """An example with both answers."""
    values: dict[str, Any] = {"old": None, "options": {}, "place": "", "message": "", "text": ""} | more
    update = {"op": "update", "subresources": ["status"]}
    request = {"kind": "Widget", "package": "example.com/shop/v1", "op": "create", "subresources": []}
    values.setdefault("request", request | (update if "old" in more else {}))
    answers = [
        [{**error.as_dict(), "message": render_error(error)} for error in errors]
        for errors in (handwritten, declarative)
    ]
    return Example(obj=obj, handwritten=answers[0], declarative=answers[1], **values)


def tagged(error: FieldError, tag: str, place: str, level: str = "") -> FieldError:
    """An error as a tag gives it."""
    error.tag, error.source, error.level = tag, f"{FILE}:{place}", level
    return error


def too_long() -> Group:
    """A limit that is higher in the tag, with the source."""
    meta = {"name": "w-1", "labels": {"app.kubernetes.io/name": "shop"}}
    obj = {
        "apiVersion": "shop.example.com/v1",
        "kind": "Widget",
        "metadata": meta,
        "spec": {"size": 3, "ports": [{"name": "http", "port": 80}, {"name": "n" * 64, "port": 81}]},
    }
    path = "spec.ports[1].name"
    return Group(
        sort(
            "spec.ports[*].name",
            "FieldValueTooLong",
            "rule differs",
            origin="maxLength",
            tag="+k8s:maxLength=64",
            source=f"{FILE}:14:5",
        ),
        1204,
        example(
            obj,
            [
                FieldError.too_long(path, 63).with_origin("maxLength").covered_by_declarative(),
                FieldError.invalid("spec.size", 3, "must be even"),
            ],
            [tagged(FieldError.invalid("spec.size", 3, "must be even"), "+k8s:multipleOf=2", "20:5", "beta")],
            place="objects.yaml:12",
            message=(
                "Unexpected difference between hand written validation and declarative validation error results, "
                'unmatched error(s) found {Type="Too long", Field="spec.ports[1].name", Origin="maxLength"}.'
            ),
            text="The tag +k8s:maxLength=64 declares the rule, and accepts this value of 64 characters.",
        ),
        excerpt=[
            "type Port struct {",
            "\t// Name of the port.",
            "\t// +k8s:maxLength=64",
            '\tName string `json:"name"`',
        ],
        excerpt_line=12,
    )


def immutable() -> Group:
    """An update to a subresource that only the tag refuses."""
    obj = {"spec": {"mode": "fast", "size": 4}, "status": {"phase": "Ready", "phases": ["New", "Ready"]}}
    old = {"spec": {"mode": "slow", "size": 4}, "status": {"phase": "New", "phases": ["New"]}}
    error = tagged(FieldError.invalid("spec.mode", "fast", "field is immutable"), "+k8s:immutable", "31:5")
    return Group(
        sort(
            "spec.mode",
            "FieldValueInvalid",
            "rule extra",
            operation="update /status",
            side="declarative",
            origin="immutable",
            tag="+k8s:immutable",
            source=f"{FILE}:31:5",
        ),
        87,
        example(
            obj,
            [],
            [error.with_origin("immutable")],
            old=old,
            options={"Fast": True, "Slow": False},
            place="audit.log:991",
            text="No handwritten check reports that spec.mode has changed.",
        ),
        excerpt=["\t// +k8s:immutable", '\tMode string `json:"mode"`'],
        excerpt_line=31,
    )


def missing() -> Group:
    """A required field, for which no tag is to blame."""
    return Group(
        sort("aisle", "FieldValueRequired", "rule missing", kind=SHELF),
        1,
        example({}, [FieldError.required("aisle", "must be set")], [], text="No tag declares that aisle is required."),
    )


def paired() -> Group:
    """An error that both sides have, at different paths."""
    obj = {"spec": {"size": 3, "limits": {"cpu": "x"}}}
    tag, place = '+k8s:format="k8s-quantity"', "60:5"
    error = tagged(FieldError.invalid("spec.limits[cpu]", "x", "must be a quantity"), tag, place)
    return Group(
        sort(
            "spec.limits[*]",
            "FieldValueInvalid",
            "path differs",
            operation="create, update",
            side="both",
            origin="format=k8s-quantity",
            tag=tag,
            source=f"{FILE}:{place}",
        ),
        5,
        example(
            obj,
            [
                FieldError.required("spec.mode"),
                FieldError.invalid("spec.limits.cpu", "x", "no quantity").with_origin("format=k8s-quantity"),
            ],
            [error.with_origin("format=k8s-quantity"), FieldError.required("spec.mode")],
            place="c.yaml:7",
            text="The handwritten side reports the same at spec.limits.cpu.",
        ),
    )


def ratcheted() -> Group:
    """A difference that is expected."""
    obj = {"spec": {"size": -1}}
    return Group(
        sort(
            "spec.size",
            "FieldValueInvalid",
            "ratcheted away",
            operation="update",
            origin="minimum",
            tag="+k8s:minimum=0",
            source=f"{FILE}:20:5",
        ),
        3,
        example(obj, [FieldError.invalid("spec.size", -1, "must be at least 0")], [], old=obj, place="b.json"),
        expected="Negative sizes were valid in v1beta1; see the note of release 4.",
    )


def ordinary() -> Results:
    """Results with something in every part of a report."""
    results = Results(
        tallies={
            (WIDGET, "create"): Tally(8800, 1204, 310, panics=1),
            (WIDGET, "update /status"): Tally(400, 90, 12),
            (SHELF, "create"): Tally(42, 1, 0),
        },
        rules=[
            RuleUse(
                WIDGET, "spec.ports[*].name", "FieldValueTooLong", "maxLength", "+k8s:maxLength=64", f"{FILE}:14:5", 9
            ),
            RuleUse(WIDGET, "spec.mode", "FieldValueInvalid", "immutable", "+k8s:immutable", f"{FILE}:31:5", 87),
            RuleUse(WIDGET, "spec.size", "FieldValueInvalid", "minimum", "+k8s:minimum=0", f"{FILE}:20:5", 4),
            RuleUse(WIDGET, "spec.owner", "FieldValueRequired", "", "+k8s:required", f"{FILE}:40:5"),
            RuleUse(
                SHELF,
                "aisle",
                "FieldValueInvalid",
                "format=k8s-short-name",
                '+k8s:format="k8s-short-name"',
                f"{FILE}:51:5",
            ),
        ],
        bad=2,
        notes=["objects.yaml:70: no kind Gadget", "objects.yaml:91: not JSON"],
        seconds=12.5,
        handwritten_seconds=3.25,
        declarative_seconds=0.0421,
        about={"paths": "./api/v1", "handwritten": "python:shop.checks:validate", "objects": "objects.yaml audit.log"},
    )
    for group in (missing(), immutable(), too_long(), paired(), ratcheted()):
        results.add_group(group)
    return results


def clean() -> Results:
    """Results without any difference."""
    results = ordinary()
    results.groups.clear()
    results.bad, results.notes = 0, []
    for tally in results.tallies.values():
        tally.agreeing, tally.differing, tally.panics = tally.agreeing + tally.differing, 0, 0
    results.rules = [RuleUse(r.kind, r.path, r.type, r.origin, r.tag, r.source, 5) for r in results.rules]
    return results


def hostile() -> Results:
    """Results of which every text is one of the hostile ones, in turn."""
    results = Results(seconds=1, about={text: text for text in HOSTILE}, interrupted=True)
    for i, text in enumerate(HOSTILE):
        other = HOSTILE[i - 1]
        error = FieldError.invalid(f"spec[{text}]", text, other).with_origin(other)
        group = Group(
            Sort(
                text, f"create {other}", "declarative", other, f"spec[{text}]", "FieldValueInvalid", other, text, other
            ),
            i + 1,
            example(
                {"spec": {text: {other: text}}, other: [text]}, [], [error], old={text: other}, place=text, text=text
            ),
            expected=text if i % 3 == 0 else "",
            excerpt=[text, other],
            excerpt_line=1,
        )
        group.example.message, group.example.options = other, {text: True}
        results.add_group(group)
        results.tallies[text, other] = Tally(1, 1)
        results.note(text)
        results.rules.append(RuleUse(text, other, text, other, text, other))
    return results


def many(count: int = 500) -> Results:
    """Results with very many groups, some of large objects."""
    results = Results(seconds=60, about={"paths": "api", "handwritten": "exec:check"})
    results.tallies[WIDGET, "create"] = Tally(count, count)
    for i in range(count):
        items = [{"name": f"item-{j}", "value": "v" * 50, "nested": {"list": list(range(20))}} for j in range(40)]
        path = f"spec.group{i}.items[39].name"
        error = tagged(FieldError.invalid(path, "item-39", "is bad"), f"+k8s:maxLength={i}", f"{i + 1}:5")
        group = Group(
            sort(
                f"spec.group{i}.items[*].name",
                "FieldValueInvalid",
                "rule extra",
                side="declarative",
                tag=error.tag,
                source=error.source,
            ),
            count - i,
            example({"spec": {f"group{i}": {"items": items}}}, [], [error], place=f"big.yaml:{i}", text="It differs."),
            excerpt=["\t// +k8s:maxLength=1", "\tName string"],
            excerpt_line=i + 1,
        )
        results.add_group(group)
    return results


def history(results: Results, count: int = 12) -> History:
    """Earlier runs that got better, one of them interrupted, and a line of somebody else."""
    runs = []
    last = to_run(results, "")
    for i in range(count):
        more = (count - i - 1) * 150
        totals = dict(last.totals)
        totals["mismatches"] += more
        totals["differing"] += min(more, totals["agreeing"])
        totals["agreeing"] = totals["compared"] - totals["differing"]
        runs.append(
            Run(f"2025-03-{i + 1:02}T10:00:00Z", totals, last.kinds, {"rule extra": more}, 12.0, interrupted=i == 5)
        )
    return History(runs, [Problem(7, "not JSON, the line is not complete")])
