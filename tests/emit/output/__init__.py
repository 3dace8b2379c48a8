"""What is written to disk, where, and where never."""
