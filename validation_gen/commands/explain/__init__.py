"""Explains tags, directives and codes: for `validation-gen explain`, and for pages in docs/.

`lookup` resolves a name, `tags` and `codes` make an `Article`, and `text` and `markdown` render articles. Everything
comes from the declarations that checking uses, so that both always agree. Nothing is printed here.
"""
