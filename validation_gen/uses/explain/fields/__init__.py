"""What is said about one field: all rules that apply there, from wherever they are written.

`address` reads what people call a field, `walk` goes there and collects rules on the way, `account` puts them into
words and data, `text` lays them out. Nothing here validates an object, and nothing is printed.
"""
