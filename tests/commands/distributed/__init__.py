"""Corpora on engines: partitions, merging, and workers."""
