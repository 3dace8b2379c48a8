"""What README.md and docs/ show is tried: every command, example, session and file, and the site that is made of them.

Blocks of a document run in their order and in one directory, with the folders of `testdata` that it names. The language
of a block, and comments right above it, tell how it is meant:

- `console`: lines that begin with `$` are run, what follows is their output. `…` stands for any text, alone on a line
  for any lines. `# exit code 1` behind a command says how it ends, otherwise it must succeed. `# until Ctrl-C` behind
  one that does not end: it is interrupted after some seconds. A command goes on in the next line behind a backslash.
- `sh`: commands without their output. Those that install are not run here, but what they install must exist
  (`installs.py`); tests/packaging runs them, in a new environment. Those that test the project are left to `.ci/run`.
- `pycon`: a Python session; names stay for the next one. `python`: a program.
- `<!-- file: PATH -->`: the block is written to a file, in whatever language. A later command has to name it, unless
  it is a file of a CI system or a `Makefile`: then what it runs is run (`pipelines.py`).
- `<!-- run: COMMAND -->`: a command that is run before the block, without being shown.
- `<!-- steps -->`: some lines of a file for a CI system; what they would run is run.
- `<!-- tried-by: PATH -->`: the test that uses the file of the block, where no later command does, and instead of what
  would be run otherwise.
- `<!-- session: COMMAND -->`: what goes into a program (`>`) and comes out of it (`<`), one JSON object each.
- `<!-- needs: PROGRAM -->`: the block is left out where the program is not installed.
- `<!-- not-run: REASON -->`: nothing can be tried here, and the reason says why.

A block that is none of that is an error: `test_blocks.py`.
"""
