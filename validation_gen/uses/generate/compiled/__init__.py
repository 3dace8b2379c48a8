"""Generated validators as extension modules, built by mypyc. The package they stand in is the same without them."""
