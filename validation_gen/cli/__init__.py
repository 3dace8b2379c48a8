"""The command line: commands, options, terminal output and exit codes.

The inputs are the arguments, the project's configuration and the environment. The outputs are text on a terminal and an
exit code. A command calls one function of a use and prints the result.

Logic that another program could use belongs to `commands`. Only this room uses a terminal. No module below imports
`typer`, `click` or `rich`; an import contract checks that.

Begin with `main`, the entry point of the process, and `app`, which lists the commands without importing them;
`commands` has their names, and `shorthand` finds the command where the arguments name none. A command is a module of
its name (`generate`, `lint`, `validate` …); read one of them, say `convert`.

- Options: `options` and `schemaoptions` are shared, and `groups` passes several of them to a command as one parameter;
  `compareoptions` and `comparearguments` belong to one command. `severalnames`, `inputs` and `coverageinputs` read
  arguments and files.
- Configuration: `declared` makes keys of the options, `configured` passes their values to a command, `configuration`,
  `init` and `trust` are commands about it, `trusting` refuses code that only an untrusted configuration names.
- Output: `terminal` has messages, progress and exit codes; `writing`, `printing` and `places` write, compare and print
  files; `verdicts` and `compareoutputs` render results; `fixing` shows patches, `sourcewarnings` counts warnings about
  sources for commands about objects.
- A server: `webhook serve` with its options in `serveroptions`; `serveagain` reloads types while it runs.
- `schemas` has three commands in one module, `replay` a part of `explain`.
- Help: `helping`, `details`, and `reference`, which generates the reference pages of the site.
- Completion: typer answers shells; `completion` has the values that commands do not list themselves.
- Watch mode: `watching` runs a command again when one of its inputs changes.
"""
