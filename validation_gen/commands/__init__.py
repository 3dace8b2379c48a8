"""The work of each command of the program: a folder or a module for each.

The inputs are `Settings`, a `Program` or objects. The outputs are values: texts by path, findings, verdicts, results of
a comparison. The command line prints them, and another program may use them differently.

No module here parses arguments or writes to a terminal. Most folders do not import each other; a contract in
pyproject.toml has the exceptions. Lower rooms import nothing from here.

Begin with `generate/run.py`, the main job: it reads the sources once and generates all requested outputs.

- `generate`: validators, and other outputs of the same run; `check` compares them with the files on disk, `cache`
  stores results.
- `compare`: runs handwritten validation beside generated validation on many objects; `harness` writes the same as a
  test.
- `edgecases`: finds and draws objects at the edges of rules, and shrinks examples.
- `breaking`: compares two states of sources, and finds the effects on clients and stored objects.
- `explain`: explains a tag, a code, a field or an object; it also writes the generated pages of docs/.
- `convert`: writes Go types as Python classes, and Python classes as Go types.
- `fix`: applies the fixes of findings, after a trial.
- `migrate`: rewrites markers as tags where definitions and verdicts stay the same.
- `validate`: validates manifests.
- `crdcheck`: checks definitions, webhook configurations and policies, in one process or several.
- `apply`: predicts the server's answer to applied manifests.
- `definitions`, `schemes`, `kind_lookup`: finds arguments that name definitions, reads their kinds, and looks up all
  other kinds.
- `defaulting`: fills in the defaults that types declare.
- `distributed`: reads large input and distributes it to processes, here or on a cluster.
- `coverage`: lists the errors that tags can give, and those that tests have triggered.
- `cel`: tries, estimates and tests rules in CEL; `pytestplugin` lets pytest run the tests of such rules.
- `stdio`: answers requests line by line, for programs in other languages.
- `init`, `trust`: write a first configuration, and the list of trusted projects.
- `watch`: waits until an input changes.
- `serve`: runs a webhook behind HTTPS. `review` calls one, as an API server does.
"""
