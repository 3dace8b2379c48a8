"""The engine for custom objects, and its expressions beside those of a runtime in C++.

Objects differ in their names, so that no two share all of their texts. Rules are run at each place of an object where
they stand, by everybody on the same values, and all of them hold.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks.measure import Plan, growth
from benchmarks.results import Results
from validation_gen.kubernetes.cel.compiled import compile_function
from validation_gen.kubernetes.crd.expressions import CALL_LIMIT, Rules, RunningRule
from validation_gen.kubernetes.objects import Scheme
from validation_gen.runtime import native

DEFINITION = Path(__file__).parent / "custom" / "routes.yaml"
OBJECTS = 60
#: Number of objects for the exact path, which takes long.
_OTHERS = 20

Call = Callable[[], Any]


def route(number: int) -> dict[str, Any]:
    """An object with six rules and some hundred values."""
    rules = [
        {
            "name": f"rule-{number}-{index}",
            "timeout": f"{index + 1}s",
            "paths": [{"type": "Prefix", "value": f"/a{number}/{index}"}, {"type": "Exact", "value": f"/b{number}"}],
            "headers": [{"name": "x-tenant", "value": f"t{number}"}],
            "filters": [{"type": "Headers", "headers": {"set": {"x-rule": str(index)}, "remove": ["x-debug"]}}],
            "backends": [
                {"name": f"service-{number}", "port": 80, "weight": 1},
                {"name": f"service-{number}-next", "port": 8080, "weight": 2},
            ],
        }
        for index in range(6)
    ]
    spec = {"gateway": "public", "hosts": [f"shop-{number}.example.com"], "rules": rules}
    metadata = {"name": f"shop-{number}", "namespace": "shops", "labels": {"app": f"shop-{number}"}}
    return {"apiVersion": "bench.example.com/v1", "kind": "Route", "metadata": metadata, "spec": spec}


def _scheme(*, exact: bool = False) -> Scheme:
    """Returns the definition, whose objects take the fast path if there is native code, or the exact path."""
    scheme = Scheme()
    version = scheme.define(yaml.safe_load(DEFINITION.read_text(encoding="utf-8"))).storage
    if exact:
        version.fast.disable()
    version.fast.make_table()
    return scheme


def _changed(obj: dict[str, Any]) -> dict[str, Any]:
    """The object with another value in its last rule."""
    found = copy.deepcopy(obj)
    found["spec"]["rules"][-1]["backends"][-1]["weight"] += 1
    return found


def _objects() -> dict[str, tuple[Sequence[Call], Sequence[Call]]]:
    """Creates and updates by the fast path, beside the exact path alone."""
    if native.accept is None:
        return {}
    sent = [route(number) for number in range(OBJECTS)]
    olds = [_changed(obj) for obj in sent]
    fast, exact = _scheme(), _scheme(exact=True)
    for obj, old in zip(sent, olds, strict=True):
        assert fast.admit(obj).object == exact.admit(obj).object
        assert fast.admit(obj, old).object == exact.admit(obj, old).object
    requests: dict[str, list[tuple[Any, ...]]] = {
        "create": [(obj,) for obj in sent],
        "update": list(zip(sent, copy.deepcopy(sent), strict=True)),
        "change": list(zip(sent, olds, strict=True)),
    }
    return {
        f"native-{request}": (
            [functools.partial(fast.admit, *objects) for objects in each],
            [functools.partial(exact.admit, *objects) for objects in each[:_OTHERS]],
        )
        for request, each in requests.items()
    }


def _places(rules: Rules, value: Any) -> Iterator[tuple[Rules, RunningRule, Any]]:
    """Every rule with the values that it is about."""
    for rule in rules.compiled:
        yield rules, rule, value
    if isinstance(value, list) and rules.items is not None:
        for item in value:
            yield from _places(rules.items, item)
    elif isinstance(value, dict):
        for name, part in rules.properties.items():
            if name in value:
                yield from _places(part, value[name])


def _rules() -> dict[str, tuple[Sequence[Call], Sequence[Call]]]:
    """Rules: as Python source, as plans, and by the runtime in C++ with values that are ready, or made of dicts."""
    from cel_expr_python import cel  # noqa: PLC0415 - a rival, which only `make bench` installs

    scheme = _scheme()
    rules = next(iter(scheme.kinds.values())).storage.rules
    assert rules is not None
    environment = cel.NewEnv(variables={"self": cel.Type.DYN})
    made: dict[int, tuple[Any, Any]] = {}
    calls: dict[str, list[Call]] = {"source": [], "plan": [], "prepared": [], "dicts": []}
    for place, rule, value in _places(rules, scheme.admit(route(0)).object):
        if id(rule) not in made:
            assert rule.typed is not None
            made[id(rule)] = compile_function(rule.typed, place.shape), environment.compile(rule.rule.rule)
        function, program = made[id(rule)]
        data = {"self": value}
        ready = environment.Activation(data)
        assert rule.plan is not None
        assert function(value, None)[0] is True
        assert program.eval(ready).value() is True
        calls["source"].append(functools.partial(function, value, None))
        calls["plan"].append(functools.partial(rule.plan.run, (place.shape.read(value), None), CALL_LIMIT))
        calls["prepared"].append(functools.partial(program.eval, ready))
        calls["dicts"].append(functools.partial(program.eval, data=data))
    source = calls.pop("source") * 5
    return {name: (source, others) for name, others in calls.items()}


def run(plan: Plan) -> Results:
    """Seconds for one call of ours and one of another, and how many times as long the other takes."""
    found = growth({**_rules(), **_objects()}, plan)
    names = ("ours", "other", "ratio")
    return {
        name: dict(zip(names, (float(f"{number:.4g}") for number in numbers), strict=True))
        for name, numbers in found.items()
    }
