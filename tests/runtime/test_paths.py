"""Which paths lead to others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from validation_gen.runtime.paths import nearest_above

_paths = st.lists(st.text("ab.[]-", max_size=8), max_size=12)


@given(_paths, _paths)
def test_the_nearest_path_above_is_found(paths: list[str], parents: list[str]) -> None:
    found = nearest_above(paths, parents)
    for path in {*paths, *parents}:
        above = [p for p in parents if p and path.startswith((f"{p}.", f"{p}["))]
        assert found.get(path) == max(above, key=len, default=None)


def test_names_that_begin_alike_are_beside_each_other() -> None:
    assert nearest_above(["spec.container", "spec[a]", "spec"], ["spec"]) == {
        "spec.container": "spec",
        "spec[a]": "spec",
    }
    assert nearest_above(["specs.a", "spec-a.b"], ["spec"]) == {}
