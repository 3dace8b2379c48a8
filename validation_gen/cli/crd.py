"""`validation-gen crd …`: commands about CustomResourceDefinitions."""

from __future__ import annotations

import typer

from validation_gen.cli import schemas

app = typer.Typer(name="crd", help="CustomResourceDefinitions.", no_args_is_help=True)
app.command("generate")(schemas.crd)
