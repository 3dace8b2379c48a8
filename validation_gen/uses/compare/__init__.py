"""Compares handwritten and declarative validation on many objects, for `validation-gen compare`.

What comes in are a program with its validators, a specification of the handwritten side, and requests: read from files
and logs, or drawn. What goes out are `Results`: counts, and groups of like mismatches with the smallest example each.

In what two lists of errors differ is decided in `mismatch`, never here. Memory depends on the number of rules, not on
the number of requests. Nothing but `state`, `regressions` and the history writes a file, and nothing prints.

Begin with `run`, one comparison from the first request to the finished results, and `judge`, which asks both sides.

- Requests: `requests` is the record, `inputs` reads them, `fuzz` draws them, `regressions` keeps and repeats cases.
- Sides: `sides` asks a Python function, another program or a webhook; `sound` makes sure of the answer.
- Work: `work` describes all of a comparison, `engine` and `workers` spread it over processes, `pace` measures it,
  `state` and `interruption` let it end and begin again.
- Results: `results`, `grouping`, `answers`, `expected`, `declarations`; `report` tells them in each format.
- `harness`: writes modules and tests that run both validations in the user's own project.
"""
