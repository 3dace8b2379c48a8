"""Compares handwritten and declarative validation on many objects, for `validation-gen compare`.

What comes in are a program with its validators, a specification of the handwritten side, and requests: read from files
and logs, or drawn. What goes out are `Results`: counts, and groups of like mismatches with the smallest example each.

What two answers amount to is decided by `mismatch.judging`, the same as in a service, and never here. Memory
depends on the number of rules, not on the number of requests. Nothing but `state`, `regressions` and the history writes
a file, and nothing prints.

Three nouns are enough to begin with: a `Plan` is what somebody wants compared, a `Judge` asks both sides about requests
and counts the verdicts, `Results` are what it has counted. A `Work` carries out a plan on a program; its `Run` is under
way, and sends each process a `Job`, which makes the judge there.

- Requests: `requests` is the record, `inputs` reads them, `fuzz` draws them, `regressions` keeps and repeats cases.
- Sides: `sides` asks a Python function, another program or a webhook; `sound` makes sure of the answer.
- Work: `work` has the plan and what it works on, `run` adds up, `portions` spreads it over processes of
  `uses/corpora`, `pace` measures it, `state` lets it end and begin again.
- Clusters: `clustered` sends partitions out by an engine of `uses/corpora`, `partitioned` compares one, `jobdata` is a
  job as plain data. `adapters` is what somebody with another engine calls.
- Results: `results`, `grouping`, `answers`, `expected`, `declarations`; `report` tells them in each format.
- `harness`: writes modules and tests that run both validations in the user's own project.
"""
