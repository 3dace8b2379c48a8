"""Processes corpora larger than one machine: cuts them into chunks, runs a batch anywhere, merges the results.

A command describes its work as a `Batch` (`worker`): a dataclass with all inputs, and with `prepare`, which returns the
function that runs a chunk. A chunk is a `Partition`, or plain data of the command; outcomes are data that merge in any
order, for a partition a `Part`. Nothing here prints or writes.

- Inputs: `chunking` reads files for processes of one machine; `opening` lists and opens paths and URLs, `planning`
  makes `partitions` of them, `reading` reads the bytes or the lines of one.
- Work: `engines` has the protocol of engines, and one that runs batches in this process; `machine` begins in
  this process and goes on in `processes` beside it; `dask_engine` is Dask, and the only module that imports it;
  `worker` runs in the other process. `running` is the common part of work on an engine; a command supplies the rest.
  `interruption` handles Ctrl-C without losing results.
- Outcome: `partitions` merges in any order, and numbers the lines at the end; `codec` makes data of it; `checkpoint`
  writes checkpoints.
"""
