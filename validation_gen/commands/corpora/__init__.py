"""Processes corpora larger than one machine: cuts them into partitions, runs tasks anywhere, merges the results.

The package does not know the work: a *task* names a module with two functions of plain data, `prepare(common)`, once in
a process, and `run(prepared, partition)`, whose outcome is a `Part` as data. Nothing here prints or writes.

- Inputs: `cutting` reads files for processes of one machine; `opening` lists and opens paths and URLs, `planning` makes
  `partitions` of them, `reading` reads the bytes or the lines of one.
- Work: `engines` is the protocol of engines that run tasks, and one that runs them in this process; `machine` begins in
  this process and goes on in `processes` beside it; `dask_engine` is Dask, and the only module that imports it;
  `worker` runs in the other process. `running` is the common part of work on an engine; a command supplies the rest.
  `interruption` handles Ctrl-C without losing results.
- Outcome: `partitions` merges in any order, and numbers the lines at the end; `codec` makes data of it; `keeping`
  writes checkpoints.
"""
