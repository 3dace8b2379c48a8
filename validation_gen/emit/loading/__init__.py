"""Imports validators without a file: generated packages from their text, and handwritten code beside them.

The input is text by path from the emitters. The output is the imported package, whose text tracebacks and debuggers
show. Nothing here writes a file. `interpreter` computes Python's import paths, in this process and in child processes.
"""
