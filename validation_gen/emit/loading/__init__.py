"""Imports validators without a file: generated packages from their text, and handwritten code beside them.

What comes in is text by path, as emitters make it. What goes out is the imported package, whose text tracebacks and
debuggers show. Nothing here writes a file.

- `generated`: imports the text of a package, and gives its registry.
- `handwritten`: lets handwritten code import what lies beside it, behind all else.
- `interpreter`: says where Python imports from, in this process and in those that are started.
"""
