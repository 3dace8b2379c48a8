"""Prints the times of the dense types: `python -m benchmarks.dense`."""

from benchmarks.dense import measure

times = measure()
print(f"{'':24}{'µs':>8}{'of json.loads':>16}")
for name, seconds in times.items():
    print(f"{name:24}{seconds * 1e6:8.1f}{seconds / times['json.loads']:16.2f}")
