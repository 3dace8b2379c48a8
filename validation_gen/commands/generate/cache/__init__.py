"""Cache of earlier runs on disk: a run with the same inputs does no work.

The key of a run is its configuration, and a hit is valid if all recorded reads have the same answers (`recorded`). An
entry is JSON with a checksum: texts, findings, numbers. If an entry or the cache directory is invalid, the work is
done. A directory that others can write is neither read nor written. This package never reads sources itself.
"""
