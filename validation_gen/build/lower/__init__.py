"""From a universe of types to a validation program: walks the types, asks the catalogue, resolves deferred checks."""

from validation_gen.build.lower.program import lower_program

__all__ = ["lower_program"]
