"""The command line. Each command is a module that parses arguments, calls the pipeline and prints."""
