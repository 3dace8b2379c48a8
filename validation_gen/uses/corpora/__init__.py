"""Corpora larger than one machine: cut into partitions, judged by processes anywhere, merged to one result.

It knows nothing of what is done with a partition: a *task* names a module with two functions of plain data,
`prepare(common)`, once in a process, and `run(prepared, partition)`, whose outcome is a `Part` as data. Nothing here
prints or writes.

- Inputs: `cutting` reads the files that people name for processes of one machine; `opening` lists and opens paths and
  URLs, `planning` makes `partitions` of them, `ranges` reads the lines of one.
- Work: `engines` is the protocol of whatever runs tasks, and one that runs them in this process; `machine` begins in
  this process and goes on in `processes` beside it; `dask_engine` is Dask, and the only module that knows it; `worker`
  is what runs in the other process. `running` is the outline of work on an engine, which a command fills in.
  `interruption` is Ctrl-C, so that it loses nothing.
- Outcome: `parts` merges, whatever the order, and numbers the lines at the end; `keeping` keeps what is done.
"""
