"""Generates validators from sources, and with them definitions, documents, schemas and harnesses.

What comes in are `Settings` and the list of what is wanted. What goes out is a `Generated`: text by path, findings and
numbers. Nothing here writes a file of an output directory (`emit/output` does) and nothing is printed.

Begin with `run`, which reads and lowers the sources once for all emitters.

- `made`: the record of what a run makes, before anything of it is on disk.
- `check`: tells what is on disk beside what would be generated, as findings and as a patch.
- `cache`: keeps results of earlier runs, and gives them back while all recorded reads have the same answers.
"""
