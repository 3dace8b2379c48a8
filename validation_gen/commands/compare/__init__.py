"""Compares handwritten and declarative validation on many objects, for `validation-gen compare`.

The inputs are a program with its validators, a specification of the handwritten side, and requests: read from files and
logs, or drawn. The outputs are `Results`: counts, and groups of like mismatches with the smallest example each.

`mismatch.judging` compares two answers, here and in a service. Memory depends on the number of rules, not on the number
of requests. Only `run`, `regressions` and the history write files, and nothing prints.

Three classes are enough to begin with: a `Plan` describes a comparison, a `Judge` sends requests to both sides and
counts the verdicts, `Results` hold the counts. A `Work` runs a plan on a program; its `Run` is under way, and sends a
`Job` to each process, which builds the judge there.

- Requests: `requests` is the record, `inputs` reads them, `comparison` draws them, `regressions` keeps cases.
- Sides: `sides` calls a Python function, another program or a webhook; `judge` checks the answers.
- Work: `work` has the plan and its inputs, `run` adds up and makes it resumable, `portions` distributes it to processes
  of `commands/distributed`, and has the batch of a job.
- Clusters: `clustered` sends partitions to an engine of `commands/distributed`, `partitioned` compares one; `meeting`
  and `paired` do so with objects that belong together. `adapters` is the interface for other engines.
- Results: `results`, `groups`, `grouping`; `report` renders them in each format.
- `harness`: writes modules and tests that run both validations in the user's own project.
"""
