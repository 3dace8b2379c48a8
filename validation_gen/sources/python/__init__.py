"""Python modules as sources: parsed, never imported.

`finder` says where a module lies, `reader` makes a package of the model of it. `declarations`, `annotations`,
`annotated` and `defaults` read classes, `constraints`, `patterns` and `validators` what other libraries say in them,
`vocabulary` the classes of our tags. `constrainttags` makes tags of constraints; `handwritten` and `straytags` find
what is not read: functions that check, and tags that belong to nothing. What a class says is put in Go's terms, because
rules are written in those.
"""
