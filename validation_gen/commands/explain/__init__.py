"""Explains tags, directives and codes: for `validation-gen explain`, and for pages of the site.

`documents` resolves a name, `tags` and `codes` make an `Article`, which `article` renders. Everything comes from the
declarations that checking uses, so that both always agree. Nothing is printed here.
"""
