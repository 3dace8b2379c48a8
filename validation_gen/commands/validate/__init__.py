"""Validates objects in manifests, for `validation-gen validate`: a verdict on each, or the reason why there is none.

The inputs are a `Request` for all objects, validators, and manifests; the outputs are `Results`: counts, the verdicts
with findings, and problems of files. Results can be serialised, and merge in any order: a part of the input is a
*block* with a number, which orders the output.

- Verdicts: `judging` validates an object, `verdicts` has the record, `results` adds up.
- Work: `pieces` reads files, cuts them and distributes them; the task of a process has a `Judge`.
- Clusters: `clustered` sends partitions, `partitioned` checks one.

Nothing prints or writes.
"""
