"""Explains one field: all rules that apply there, wherever they are written.

`address` parses the name of a field, `walk` finds it and collects rules on the way, `account` describes them as text
and data, `text` renders them. Nothing here validates an object, and nothing is printed.
"""
