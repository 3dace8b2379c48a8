"""An API server for tests: in the process, in memory, ready in milliseconds, with faults on demand.

    from validation_gen.testing import ApiServer

    with ApiServer(crds=["deploy/crds"]) as server:
        run_operator(kubeconfig=server.kubeconfig)
        server.wait_for(lambda: server.client.get("Kite", "red")["status"]["phase"] == "Flying")

It is public, and needs the extra `testing`. pytest has fixtures of it, by `plugin`.

- `server`: `ApiServer`, its life cycle, and its asserts. Begin here.
- `inputs`: definitions and objects to begin with, and snapshots. `hooks`: validators, conversions and webhooks.
- `client`: requests in the process. `history`: the changes of objects, with their authors and owners, and conditions.
- `gateway`: passes requests to the server, with faults: `faults` has those that a test requests, `injections` and
  `watchfaults` carry them out.
- `loops`: the event loop in which all servers of a process run, and their sockets.

Nothing here is imported before a fixture, or one of the names below, is used.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from validation_gen.testing.client import Client, RequestError
    from validation_gen.testing.faults import Faults
    from validation_gen.testing.history import ConditionError, Event, FieldChange, History
    from validation_gen.testing.injections import Fault
    from validation_gen.testing.inputs import InputError
    from validation_gen.testing.server import ApiServer

__all__ = [
    "ApiServer",
    "Client",
    "ConditionError",
    "Event",
    "Fault",
    "Faults",
    "FieldChange",
    "History",
    "InputError",
    "RequestError",
]

_NEEDED = ("starlette", "uvicorn", "cryptography", "urllib3")
_LATE = {
    "ApiServer": "server",
    "Client": "client",
    "ConditionError": "history",
    "Event": "history",
    "Fault": "injections",
    "Faults": "faults",
    "FieldChange": "history",
    "History": "history",
    "InputError": "inputs",
    "RequestError": "client",
}


def find_missing() -> str:
    """Returns an error with the packages of the extra that are not installed, or `""`."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    return f"the server needs {', '.join(missing)}: pip install 'validation-gen[testing]'" if missing else ""


def __getattr__(name: str) -> Any:
    if name in _LATE:
        missing = find_missing()
        if missing:
            raise ModuleNotFoundError(missing)
        return getattr(importlib.import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
