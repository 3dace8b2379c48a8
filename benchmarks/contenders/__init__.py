"""Who is measured: our validators and those of others, all with the rules of `benchmarks.rules`."""
