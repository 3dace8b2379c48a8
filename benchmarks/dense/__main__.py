"""Prints the times of the dense types: `python -m benchmarks.dense`."""

import sys

from benchmarks.dense import measure

times = measure()
sys.stdout.write(f"{'':24}{'µs':>8}{'of json.loads':>16}\n")
for name, seconds in times.items():
    sys.stdout.write(f"{name:24}{seconds * 1e6:8.1f}{seconds / times['json.loads']:16.2f}\n")
