"""JSON serialisation of a `Judge` for remote workers, which share no memory, files or user code with this process.

Where the order of members counts, as in schemas, they are encoded as text: the transport may sort data.
"""

from __future__ import annotations

import importlib
import json
from typing import Any

from validation_gen.diagnostics import Severity
from validation_gen.emit.loading import generated
from validation_gen.emit.loading.generated import customs_in, load_registry
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Scheme
from validation_gen.kubernetes.positions import Positions
from validation_gen.uses.corpora.codec import decode, encode
from validation_gen.uses.corpora.worker import RefusedError
from validation_gen.uses.filling import Defaults
from validation_gen.uses.validate.judging import Request, identity
from validation_gen.uses.validate.pieces import Judge
from validation_gen.uses.validate.verdicts import Wanted


def data_of(judge: Judge) -> dict[str, Any]:
    """Serialises the judge as JSON-ready data."""
    request, origin = judge.request, judge.origin
    return {
        "files": dict(origin.files()),
        "definitions": json.dumps(list(origin.definitions)),
        "directories": list(generated.admitted()),
        "defaults": json.dumps(None if request.defaults is None else request.defaults.as_data()),
        "request": {
            "options": request.options,
            "subresource": request.subresource,
            "type": request.type,
            "skipped": sorted(request.skipped),
            "missing": None if request.missing is None else request.missing.value,
            "strict": request.strict,
            "level": request.level,
        },
        "wanted": encode(judge.wanted),
        "olds": json.dumps([old.obj for old in judge.olds.values()]),
    }


def judge_of(data: dict[str, Any]) -> Judge:
    """Restores a judge from `data_of`.

    Raises:
        RefusedError: a handwritten function cannot be imported here.
    """
    for directory in reversed(data["directories"]):
        generated.admit(directory)
    registry = load_registry(data["files"])
    for name in customs_in(data["files"]):
        try:
            importlib.import_module(f".{name}", registry.package)
        except (Exception, SystemExit) as error:
            reason = f"a worker cannot import handwritten functions: {error.__class__.__name__}: {error}"
            raise RefusedError(reason, "install what they import on all workers") from None
    scheme = Scheme()
    for each in json.loads(data["definitions"]):
        scheme.define(each)
    told, defaults = data["request"], json.loads(data["defaults"])
    request = Request(
        **{
            **told,
            "skipped": frozenset(told["skipped"]),
            "missing": None if told["missing"] is None else Severity(told["missing"]),
        },
        scheme=scheme,
        defaults=None if defaults is None else Defaults.of_data(defaults),
    )
    olds = [Manifest(obj, "", 0, Positions("", "", 0)) for obj in json.loads(data["olds"])]
    return Judge(registry, request, decode(Wanted, data["wanted"]), {identity(old, scheme): old for old in olds})
