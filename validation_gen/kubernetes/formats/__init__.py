"""What texts must look like for the API server: names of the DNS, URLs as Go reads them, and the formats of schemas.

Nothing here knows a schema or an expression; both ask it.
"""
