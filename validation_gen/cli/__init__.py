"""The command line: commands, options, terminal output and exit codes.

The inputs are the arguments, the project's configuration and the environment. The outputs are text on a terminal and an
exit code. A command calls one function of `commands` and prints the result.

Logic that another program could use belongs to `commands`. Only this room uses a terminal. No module below imports
`typer`, `click` or `rich`; an import contract checks that.

Begin with `main`, the entry point of the process, and `app`, which lists the commands without importing them and has
the older names of commands and options. A command is a function in the module of its name, or in that of its group
(`webhook`, `crd`, `convert`, `config` in `configuration`, `cel`); read one of them, say `breaking`.

- Options: `options` declares them as fields of groups, and has the groups of several commands; `cluster_options` and
  `compare_options` have more groups. `checks` and `compare_arguments` parse values. All functions that parse or refuse
  values raise `typer.BadParameter` for wrong ones.
- Configuration: `option_schema` makes keys of the options, `config_context` passes their values to a command,
  `trust_policy` refuses code that only an untrusted configuration names.
- Output: `terminal` has messages, progress and exit codes; `writing` reports written files; `replay` prints traces for
  `explain`; `lint` prints patches.
- A server: `serve`, with the endpoints in `serve_handlers`. `loading` loads validators for commands of `webhook`, and
  sums up warnings about sources for commands about objects.
- Help: `helping`, with the options of all commands. `.ci/site_reference.py` makes a page of the site from the help.
- Watch mode: `watching` runs a command again when one of its inputs changes.
"""
