"""`python -m validation_gen`."""

from validation_gen.cli.main import run

run()
