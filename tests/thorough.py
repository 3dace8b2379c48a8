"""How much is drawn at random: a quarter on each run, and all of it by `make thorough`.

Each run draws others, so that the quarters of a few runs are as good as the whole. What is drawn from a fixed seed
begins with the same ones. Nothing that is written down as a case is left out, but for what is marked as `thorough`: it
is dear, and other tests show the usual. `VALIDATION_GEN_DRAWN` is a number of requests for `tests/native/test_many.py`
alone, such as a million.

What only `make thorough` runs, and what shows the usual:

- the steps of the action on a machine (`packaging/test_hooks`), releases that are installed from a path, an archive or
  a repository (`packaging/test_release`): the hooks, which install the same from a repository;
- types of a page's handler of kopf (`docs/test_snippets`), for which mypy reads all of kopf: those of other blocks;
- all random applies (`server/test_recorded`): each twelfth;
- migrations of more shapes (`growth/test_commands`): the slowest one;
- clusters of 5 workers (`test_same_results`, `test_coverage_seeing`): the clusters of 1 and 2;
- `validate` and `coverage` whose workers are killed (`distributed/test_killing`): `compare`, which takes the same way;
- names of two more lengths (`emit/test_names`): names of one length;
- `kubernetes/cel/test_drawn`: five eighths of the recorded rules; the others are of the same kinds;
- `emit/test_vendoring`, `native/test_order`: two thirds of the case folders and of what is drawn for them;
- every second field of a struct (`explain/test_fields`): the first and the others;
- comparisons that are stopped while one process works, and at more moments (`cli/test_compare_stops`,
  `cli/test_compare_hostile`): two processes, and the other moments;
- runs with 130 and 177 MiB of memory (`cli/test_memory`), and most of those with 90 and 170: a command for each of 90,
  170 and 210, which end while the program is loaded, while it reads a file and while it keeps what it has read;
- small files of many values in JSON and of many empty documents (`cli/test_memory`): both in other forms;
- 7 of 10 deaths of workers (`distributed/test_killing`): 3;
- 100 kills of API servers and of etcd (`server/test_durability`): 3, or `VALIDATION_GEN_KILLS`;
- all recorded scenarios over etcd (`server/test_recorded`): some of each area, and all over SQLite;
- twenty times as many random writers and watchers (`server/test_model`);
- the tests of the project for the tags of the recipe (`docs/test_recipe`): validators and schemas of these tags.
"""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("VALIDATION_GEN_THOROUGH"))
#: So many requests are asked of native code and of Python, and as many as usual if it is 0.
DRAWN = int(os.environ.get("VALIDATION_GEN_DRAWN") or 0)
_LEAST = 20


def drawn(number: int, *, least: int = _LEAST) -> int:
    """How many to draw, of a number that is thorough, and no fewer than `least`."""
    return number if THOROUGH else max(number // 4, min(number, least))
