"""Rewrites markers of controller-gen as tags, where it is proved that nothing changes.

`places` finds the comments, `rewriting` finds a tag for a marker, `objects` builds definitions and validators of
sources, `proof` compares two of these, and `run` makes trials. Nothing here writes a file or prints.
"""

from validation_gen.commands.migrate.run import Migration, migrate

__all__ = ["Migration", "migrate"]
