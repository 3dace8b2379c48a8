"""Checks objects in manifests, for `validation-gen validate`: a verdict on each, or the reason why there is none.

What comes in are a `Request`, which holds for all objects, validators, and manifests; what goes out are `Results`:
counts, the verdicts on objects of which something is to be told, and what is wrong with files. As plain data they go
anywhere, and they merge in any order: a part of the input is a *block* with a number, and blocks are told by these.

- Verdicts: `judging` makes one of an object, `verdicts` is what is told of it, `results` adds up.
- Work: `pieces` is the task that a process does, whichever; `work` reads files, cuts them, and shares them out.
- Clusters: `clustered` sends partitions out, `partitioned` checks one, `jobdata` is a judge as plain data.

Nothing prints or writes.
"""
