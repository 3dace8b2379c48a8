"""Python modules as sources: parsed, never imported.

`finder` finds modules, `reader` turns them into packages of the model. `declarations`, `annotations`, `annotated` and
`defaults` read classes, `constraints` and `validators` the constraints of other libraries in them.
`constrainttags` translates constraints to tags. Classes are translated to Go's terms, because rules use those.
"""
