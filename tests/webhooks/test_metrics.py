"""What is counted, and that nobody outside decides how much of it there is."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from validation_gen.mismatch.metrics import Metrics as HarnessMetrics
from validation_gen.mismatch.metrics import exposition
from validation_gen.webhooks import Answer
from validation_gen.webhooks.logs import RequestRecord
from validation_gen.webhooks.metrics import MOST_KINDS, MOST_RULES, SERIES, Metrics


def _ended(code: int = 200, answer: Answer | None = None, size: int = 100) -> RequestRecord:
    return RequestRecord("/validate", code, 0.002, size, None, answer)


def _lines(registry: CollectorRegistry) -> list[str]:
    text = generate_latest(registry).decode()
    return [line for line in text.splitlines() if not line.startswith("#") and "_created" not in line]


def test_requests_and_verdicts() -> None:
    registry = CollectorRegistry()
    metrics = Metrics({"Robot"}, registry)
    answers = [
        Answer({}, kind="Robot"),
        Answer({}, allowed=False, kind="Robot", rules=("maxLength", "required")),
        Answer({}, allowed=False, kind="Robot", failure="it broke"),
        Answer({}, allowed=False, kind="Nobody's"),
        Answer({}, kind="Robot", warned=("minimum",)),
        None,
    ]
    for answer in answers:
        metrics.began("/validate")
        metrics.ended(_ended(200 if answer else 400, answer))
    metrics.began("/validate")
    assert {line for line in _lines(registry) if "bucket" not in line and "_sum" not in line} == {
        'validation_gen_webhook_requests_total{code="200",path="/validate"} 5.0',
        'validation_gen_webhook_requests_total{code="400",path="/validate"} 1.0',
        'validation_gen_webhook_request_duration_seconds_count{path="/validate"} 6.0',
        "validation_gen_webhook_requests_in_flight 1.0",
        'validation_gen_webhook_request_body_bytes_count{path="/validate"} 6.0',
        'validation_gen_webhook_verdicts_total{kind="Robot",path="/validate",verdict="allowed"} 2.0',
        'validation_gen_webhook_verdicts_total{kind="Robot",path="/validate",verdict="refused"} 1.0',
        'validation_gen_webhook_verdicts_total{kind="Robot",path="/validate",verdict="failed"} 1.0',
        'validation_gen_webhook_verdicts_total{kind="other",path="/validate",verdict="refused"} 1.0',
        'validation_gen_webhook_refusals_total{kind="Robot",rule="maxLength"} 1.0',
        'validation_gen_webhook_refusals_total{kind="Robot",rule="required"} 1.0',
        'validation_gen_webhook_warnings_total{kind="Robot",rule="minimum"} 1.0',
    }


def test_labels_are_bounded() -> None:
    registry = CollectorRegistry()
    metrics = Metrics(None, registry)
    for number in range(2 * MOST_KINDS):
        metrics.ended(_ended(answer=Answer({}, kind=f"Kind{number}")))
    for number in range(2 * MOST_RULES):
        metrics.ended(_ended(answer=Answer({}, allowed=False, kind="Kind1", rules=(f"rule{number}",))))
    for odd in ("", "a\nb", "x" * 5000, "\ud800"):
        metrics.ended(_ended(answer=Answer({}, allowed=False, kind=odd, rules=(odd,), warned=(odd,))))
    lines = _lines(registry)
    assert sum("verdicts_total" in line for line in lines) <= MOST_KINDS + 3
    assert sum("refusals_total" in line for line in lines) <= MOST_RULES + 2
    assert sum("warnings_total" in line for line in lines) == 1
    assert any('refusals_total{kind="Kind1",rule="other"} 200.0' in line for line in lines)


def test_one_exposition_has_the_harness_as_well() -> None:
    registry = CollectorRegistry()
    HarnessMetrics(registry)
    Metrics(None, registry)
    text = exposition(registry=registry)[0].decode()
    assert "apiserver_validation_declarative_validation_mismatch_total" in text
    for each in SERIES:
        assert f"# HELP validation_gen_webhook_{each.name.removesuffix('_total')}" in text


def test_prefixes_that_are_none() -> None:
    with pytest.raises(ValueError, match="is no prefix of series"):
        Metrics(registry=CollectorRegistry(), prefix="a-b")
