"""Writes schemas of a program: CustomResourceDefinitions, OpenAPI documents, JSON Schemas for editors.

The input is a `Program`; the outputs are documents, as data and as text, with findings about omitted constraints.
No module here knows a tag. A schema is made in two passes: `structure` makes the schema of a type as it is
decoded (`typeforms` those of scalars), and `constrain` walks the checks as the validators do and adds keywords and CEL.

- Documents: `resources` (definitions), `openapi`, `swagger`, `jsonschema`, with `components`; as text by
  `yamltext`.
- Checks: `values`, `unions`, `updates`, each for some kinds of checks; `rulewriter` and `expressions` write CEL.
- Limits: `budget` keeps CEL within the cost that servers take, and omits refused parts, as `defaults` does.
- Manifests that users maintain: `patch` and `splice` replace the schema and nothing else.
- `node` is a schema under construction, with the places of checks, `options` has its options, `contributions` the parts
  of one check, `findings` the omitted constraints.
"""
