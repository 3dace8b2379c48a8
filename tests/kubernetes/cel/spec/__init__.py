"""The tests that every implementation of CEL should pass: those of google/cel-spec, run by our evaluator."""
