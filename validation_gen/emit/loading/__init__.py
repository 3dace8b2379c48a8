"""Imports validators without a file: generated packages from their text, and handwritten code beside them.

The input is text by path from the emitters. The output is the imported package, whose text tracebacks and debuggers
show. Nothing here writes a file.

- `generated`: imports the text of a package, and returns its registry.
- `handwritten`: lets handwritten code import its own project, after all other import paths.
- `interpreter`: computes Python's import paths, in this process and in child processes.
"""
