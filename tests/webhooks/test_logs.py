"""Lines of the log: who, what and why, a line each, and nothing of an object."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.webhooks.test_reviews import _body
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.webhooks import Verdict
from validation_gen.webhooks.logs import LOGGER, SERVER, Log, RequestRecord, log_to
from validation_gen.webhooks.validating import Judge, Validating

NAMES = (SERVER.name, LOGGER.name, "uvicorn", "asyncio")


@pytest.fixture(autouse=True)
def loggers() -> Iterator[None]:
    """Loggers as they were."""
    before = [(each, each.handlers, each.propagate, each.level) for each in map(logging.getLogger, NAMES)]
    yield
    for each, handlers, propagate, level in before:
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)


def _wrong(request: Any) -> Verdict:
    return Verdict([FieldError(ErrorType.TOO_LONG, "SECRET", "too long", "maxLength", ".name", ".spec")])


def _right(request: Any) -> Verdict:
    return Verdict()


def _broken(request: Any) -> Verdict:
    raise RuntimeError("SECRET")


def _logged(judge: Judge, *, form: str = "text", level: str = "info", **more: Any) -> str:
    stream = io.StringIO()
    log_to(stream, form=form, level=level)
    endpoint = Validating(judge)
    asked = endpoint.read(_body(**more))
    Log().ended(RequestRecord("/validate", 200, 0.0021, 700, asked, endpoint.judge(asked)))
    return stream.getvalue()


def test_a_refusal() -> None:
    line = (
        "refused path=/validate uid=705ab4f5-6393-11e8-b7cc-42010a800002 operation=CREATE kind=Robot "
        "namespace=default name=talos user=admin rules=maxLength code=422 seconds=0.0021\n"
    )
    assert _logged(_wrong) == line
    found = json.loads(_logged(_wrong, form="json"))
    assert found.pop("time").endswith("Z")
    assert found == {
        "level": "info",
        "message": "refused",
        "path": "/validate",
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "operation": "CREATE",
        "kind": "Robot",
        "namespace": "default",
        "name": "talos",
        "user": "admin",
        "rules": "maxLength",
        "code": 422,
        "seconds": 0.0021,
    }


def test_what_is_allowed_is_told_to_those_who_look_for_it() -> None:
    assert _logged(_right) == ""
    assert _logged(_right, level="debug").startswith("allowed path=/validate ")
    assert _logged(_wrong, level="error") == ""


def test_failures() -> None:
    line = _logged(_broken, level="error")
    assert line.startswith("failed path=/validate ")
    assert "code=500" in line
    assert "RuntimeError" in line
    assert "SECRET" not in line


def test_what_is_no_review() -> None:
    stream = io.StringIO()
    log_to(stream)
    Log().ended(RequestRecord("/validate", 415, 0.1, 0, None, None, "send application/json"))
    assert stream.getvalue() == 'not answered path=/validate code=415 reason="send application/json" seconds=0.1\n'


def test_an_exception_shows_where_it_was_raised_and_not_what_it_says() -> None:
    for form in ("text", "json"):
        stream = io.StringIO()
        log_to(stream, form=form)
        try:
            _broken(None)
        except RuntimeError:
            SERVER.exception("it broke")
        text = stream.getvalue()
        assert "RuntimeError" in text
        assert "test_logs.py:" in text
        assert "SECRET" not in text
        assert text.count("\n") == 1


@given(st.text(max_size=40), st.sampled_from(["text", "json"]))
def test_a_line_is_a_line(text: str, form: str) -> None:
    for more in ({"name": text}, {"namespace": text}, {"userInfo": {"username": text}}, {"uid": text or "1"}):
        told = _logged(_wrong, form=form, **more)
        assert told.isascii()
        assert told.splitlines(keepends=True) == [told]
        if form == "json":
            json.loads(told)


def test_long_names_are_cut() -> None:
    assert len(_logged(_wrong, name="n" * 10_000, userInfo={"username": "u" * 10_000})) < 1000
