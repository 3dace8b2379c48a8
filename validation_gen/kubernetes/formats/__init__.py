"""Formats of texts in the API server: names of the DNS, URLs as Go reads them, and the formats of schemas.

This package knows neither schemas nor expressions; both use it.
"""
