"""`validation-gen compare`: handwritten and declarative validation on many objects, and what they differ in."""
