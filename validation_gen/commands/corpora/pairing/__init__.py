"""Joins records that belong together by a hash: each partition stores its records by bucket.

A bucket then reads its records of all partitions. A partition writes one file, so the number of files does not grow
with that of the buckets. The contents of records do not matter here.
"""
