"""What belongs to others: files that may be pipes, and repositories whose settings and names may be traps.

The room uses the standard library alone, and no other part of the package. It writes nothing.
"""
