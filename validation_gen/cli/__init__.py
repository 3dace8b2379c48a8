"""The command line: commands, their options, and what people see.

What comes in are the words of a command line, the project's configuration and the environment. What goes out is text on
a terminal, and an exit code. Between them a command calls one function of a use and hands on what it returns.

The room never does what another program could want: that belongs to `uses`. It alone talks to a terminal, and only what
prints or asks stands here. No module below imports `typer`, `click` or `rich`; a contract says so.

Begin with `main`, which answers for the process, and `app`, which lists the commands without importing them; `commands`
has their names, and `shorthand` says which is meant where none is named. A command is a module of its name (`generate`,
`lint`, `validate` …); read one of them, say `convert`.

- Options: `options` and `schemaoptions` are shared, and `groups` hands several of them to a command as one parameter;
  `compareoptions` and `comparearguments` belong to one command. `severalnames`, `inputs` and `coverageinputs` read what
  they name.
- Configuration: `declared` makes keys of the options, `configured` gives their values to a command, `configuration`,
  `init` and `trust` are commands about it, `trusting` asks before code is run that only a project names.
- Output: `terminal` has messages, progress and exit codes; `writing`, `printing` and `places` say what becomes of
  files; `verdicts` and `compareoutputs` lay out answers; `fixing` shows patches, `sourcewarnings` what
  sources have against a command about objects.
- A server: `serve` with its options in `serveroptions`; `serveagain` reads types again while it runs.
- `schemas` has three commands in one module, `replay` a part of `explain`.
- Help: `helping`, `details`, and `reference`, which writes docs/cli.md.
- Completion: typer answers shells; `completion` has the values that commands do not list themselves.
- Again and again: `watching` runs a command whenever something that it has read is different.
"""
