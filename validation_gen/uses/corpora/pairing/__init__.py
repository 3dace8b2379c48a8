"""What belongs together meets by a hash: records of a partition are kept by bucket, and a bucket reads those of all.

A partition leaves one file, so that their number does not grow with that of the buckets. It knows not what records say.
"""
