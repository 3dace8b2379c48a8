"""Writes schemas of a program: CustomResourceDefinitions, OpenAPI documents, JSON Schemas for editors.

What comes in is a `Program`; what goes out are documents, as data and as text, with findings about what they do not
say. No module here knows a tag. A schema is made in two passes: `structure` makes the schema of a type as it is
decoded, and `constrain` walks the checks as the validators do and adds keywords and CEL.

- Documents: `resources` (definitions), `openapi`, `swagger`, `jsonschema`, with `components`, `naming`, `kinds`,
  `clashes`; as text by `yamltext` and `jsontext`.
- Checks: `values`, `presence`, `modes`, `unions`, `updates`, `formats`, each for some kinds of checks; `rulewriter` and
  `expressions` write CEL, `places` says where it stands.
- Limits: `budget` keeps CEL within the cost that servers take, `defaults` and `unfit` leave out what they would refuse.
- Schemas that people maintain: `patch`, `splice` and `kept` replace the schema and nothing else.
- `node` is a schema while it is built, `manner` what kind is wanted, `said` what one check adds, `findings` what is
  lost.
"""
