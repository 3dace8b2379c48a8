"""Schemas from a program: OpenAPI documents, JSON Schemas for editors, CustomResourceDefinitions."""
