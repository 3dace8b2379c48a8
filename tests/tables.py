"""Tables of cases as one test: `each` runs a test for every entry and reports all failures at once.

A parametrised test is an item of its own for each case, which costs time in every process before the first test runs.
So tables of facts are loops. Parameters remain for few cases that are worth a name on the command line.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import reprlib
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import pytest

from tests.program import forget_modules

_Test: TypeAlias = Callable[..., None]
_Ids: TypeAlias = Callable[[Any], Any] | Iterable[Any] | None

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 120
_SHORT.maxlevel = 3


def each(
    names: str | Sequence[str],
    entries: Iterable[Any] | Callable[[], Iterable[Any]],
    *,
    ids: _Ids = None,
    parts: int = 1,
) -> Callable[[_Test], _Test]:
    """Runs a test for every entry, as `pytest.mark.parametrize` does, but in one item.

    A failure, or any exception, of an entry does not hide those of others. Each entry has its own `tmp_path` and
    `monkeypatch`, and what `capsys` captured before it is dropped; all entries share the other fixtures of the test.
    A function as `entries` is called when the test runs, so that collection does not pay for what it reads. A long
    table is split in `parts`, which several processes can share.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    single = isinstance(names, str) and len(arguments) == 1
    if isinstance(entries, Iterable):
        entries = list(entries)
        if any(_is_param(entry) and entry.marks for entry in entries):
            raise TypeError("an entry of a table has no marks")
    if ids is not None and not callable(ids):
        ids = list(ids)

    def decorate(test: _Test) -> _Test:
        parameters = inspect.signature(test).parameters
        if unknown := set(arguments) - parameters.keys():
            raise TypeError(f"{test.__name__} has no arguments {', '.join(sorted(unknown))}")
        left = [value for name, value in parameters.items() if name not in arguments]
        if parts > 1:
            left.append(inspect.Parameter("part", inspect.Parameter.KEYWORD_ONLY))

        @functools.wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            table = list(entries if isinstance(entries, Iterable) else entries())
            chosen = range(fixtures.pop("part", 0) if parts > 1 else 0, len(table), parts)
            assert chosen, "the table is empty"
            failures: dict[int, BaseException] = {}
            for index in chosen:
                values = _values(table[index], single)
                try:
                    with _own(fixtures, index) as own:
                        test(*args, **own, **dict(zip(arguments, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    failures[index] = error
                except pytest.skip.Exception as error:
                    failures[index] = AssertionError(f"an entry of a table cannot be skipped: {error}")
            if failures:
                texts = [f"{len(failures)} of {len(chosen)} entries fail:"]
                for index, failure in failures.items():
                    label = _label(arguments, table[index], _values(table[index], single), ids, index)
                    texts.append(f"\n{label}\n{_describe(failure)}")
                raise AssertionError("\n".join(texts)) from next(iter(failures.values()))

        run.__signature__ = inspect.Signature(left)  # type: ignore[attr-defined]
        return pytest.mark.parametrize("part", range(parts))(run) if parts > 1 else run

    return decorate


@contextlib.contextmanager
def _own(fixtures: dict[str, Any], index: int) -> Iterator[dict[str, Any]]:
    """Yields the fixtures as an entry has them."""
    own = dict(fixtures)
    with contextlib.ExitStack() as stack:
        if "tmp_path" in own:
            own["tmp_path"] = own["tmp_path"] / str(index)
            own["tmp_path"].mkdir()
            below = f"{own['tmp_path']}{os.sep}"  # the modules of the next entry have the same names
            stack.enter_context(forget_modules(lambda file: file.startswith(below)))
        if "monkeypatch" in own:
            own["monkeypatch"] = stack.enter_context(pytest.MonkeyPatch.context())
        if "capsys" in own:
            own["capsys"].readouterr()
        yield own


def _is_param(entry: Any) -> bool:
    return isinstance(entry, type(pytest.param()))


def _values(entry: Any, single: bool) -> Sequence[Any]:
    """Returns the arguments that an entry consists of."""
    if _is_param(entry):
        return tuple(entry.values)
    return (entry,) if single else tuple(entry)


def _label(arguments: list[str], entry: Any, values: Sequence[Any], ids: _Ids, index: int) -> str:
    """Returns the name of an entry in a message: its id, or its values."""
    if _is_param(entry) and entry.id is not None:
        return str(entry.id)
    if callable(ids):
        names = [ids(value) for value in values]
        if None not in names:
            return "-".join(map(str, names))
    elif ids is not None:
        return str(list(ids)[index])
    return ", ".join(f"{name}={_SHORT.repr(value)}" for name, value in zip(arguments, values, strict=True))


def _describe(error: BaseException) -> str:
    """Returns where an entry failed and why; messages of assertions contain what the test wanted and got."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "/tests/" in frame.filename and frame.filename != __file__] or frames
    place = f"{inside[-1].filename}:{inside[-1].lineno}: " if inside else ""
    kind = "" if isinstance(error, AssertionError | pytest.fail.Exception) else f"{type(error).__name__}: "
    return "\n".join(f"    {line}" for line in f"{place}{kind}{error}".splitlines())
