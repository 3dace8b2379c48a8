"""Processes corpora larger than one machine: cuts them into chunks, runs a batch anywhere, merges the results.

A command describes its work as a `Batch` (`worker`): a dataclass with all inputs, and with `prepare`, which returns the
function that runs a chunk. Most often a chunk is a `Partition`, and its outcome a `Part`. Nothing here prints.

- Inputs: `chunking` reads files for processes of one machine; `opening` lists and opens paths and URLs, `partitions`
  plans the parts of them, `reading` reads the bytes or the lines of one. `streams` decompresses, `rows` reads Parquet.
- Work: `engines` has the protocol of engines, one that runs batches in this process, and the handling of Ctrl-C;
  `processes` begins in this process and goes on in others beside it; `dask_engine` is Dask, and no other module imports
  it; `worker` runs in the other process, and `codec` converts what is sent. `running` is the common part of work on an
  engine; a command supplies the rest.
- Outcome: `partitions` merges in any order, and numbers the lines at the end; `checkpoint` writes checkpoints;
  `pairing` joins records that belong together.
"""
