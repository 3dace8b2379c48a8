"""Markers of controller-gen rewritten as tags, where it is proved that nothing changes.

`places` finds the comments, `rewriting` says which tag a marker could be, `state` makes definitions and validators of
sources, `proof` compares two of these, and `run` tries. Nothing here writes a file or prints.
"""

from validation_gen.uses.migrate.run import Migration, migrate

__all__ = ["Migration", "migrate"]
