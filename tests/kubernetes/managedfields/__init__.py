"""Server-side apply."""
