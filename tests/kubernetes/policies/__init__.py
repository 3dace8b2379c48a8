"""Tests of admission policies as the API server runs them."""
