"""Python modules as sources: parsed, never imported."""
