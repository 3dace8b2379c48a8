"""Generates validators from sources, and with them definitions, documents, schemas and harnesses.

The inputs are `Settings` and the list of outputs. The result is a `GenerateResult`: text by path, findings and
numbers. Nothing here writes a file of an output directory (`emit/output` does) and nothing is printed.

Begin with `run`, which reads and lowers the sources once for all emitters.

- `check`: compares the files on disk with the output, as findings and as a patch.
- `cache`: stores results of earlier runs, and reuses them while all recorded reads have the same answers.
"""
