"""The lint rules, a module a family.

Some combinations that upstream accepts and should not are errors already, so no rule is needed: payloads that `ifMode`
would drop without a word (`rules.modes`), `unique` without `listType` (`rules.lists`).
"""
