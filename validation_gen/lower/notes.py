"""What is said of schemas beside rules: list types from tags, and documentation and keywords from other comments."""

from __future__ import annotations

from validation_gen.ir import SchemaNotes
from validation_gen.rules.base import Session
from validation_gen.rules.lists import ListTable


def note_list(session: Session, path: str, notes: SchemaNotes) -> None:
    """Notes the list type that the tags of a place declare, and those of its items."""
    table = session.state(ListTable).by_path
    while (facts := table.get(path)) is not None or f"{path}[(vals)]" in table:
        if facts is not None and facts.declared:
            notes.keywords["x-kubernetes-list-type"] = facts.declared
            if facts.declared == "map" and facts.keys:
                notes.keywords["x-kubernetes-list-map-keys"] = [key.json for key in facts.keys]
        path += "[(vals)]"
        if path not in table:
            return
        notes.items = notes.items or SchemaNotes()
        notes = notes.items
