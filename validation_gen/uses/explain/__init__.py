"""What there is to say about tags, directives and codes: for `validation-gen explain`, and for pages in docs/.

`lookup` finds out what a name means, `tags` and `codes` say it as an `Article`, and `text` and `markdown` lay articles
out. Everything comes from the declarations that checking uses, so that it cannot say something else. Nothing is printed
here.
"""
