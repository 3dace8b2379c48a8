"""What a person can ask for: a folder or a module for each use.

What comes in are `Settings`, a `Program` or objects. What goes out are values: texts by path, findings, verdicts,
results of a comparison. The command line prints them, and another program may do something else with them.

A use never parses arguments and never talks to a terminal. Most uses know nothing of each other; a contract in
pyproject.toml has the exceptions. Nothing below this room knows that there are uses.

Begin with `generate/run.py`, the main job: it reads the sources once and makes all that is wanted of them.

- `generate`: validators, and whatever else is to be written in the same run; `check` compares it with what is on disk,
  `cache` keeps results, `compiled` builds extension modules.
- `compare`: runs handwritten validation beside generated validation on many objects; `harness` writes the same as a
  test.
- `edgecases`: finds and draws objects at the edges of rules, and makes examples small.
- `breaking`: compares two states of sources, and judges what the change means for clients and stored objects.
- `explain`: says what a tag, a code, a field or an object means; it also writes the pages of docs/ that are generated.
- `convert`: writes Go types as Python classes, and Python classes as Go types.
- `fix`: makes the fixes that findings propose, once they have been tried.
- `migrate`: rewrites markers as tags where definitions and verdicts stay the same.
- `validate`: judges manifests, for whoever prints the verdicts.
- `crdcheck`: checks definitions, webhook configurations and policies, by one process or several.
- `apply`: says what becomes of manifests that are applied, as a server would.
- `definitions`, `schemes`, `recognition`: which arguments name definitions, what these define, and what is known of all
  other kinds.
- `filling`: fills in the defaults that types declare.
- `corpora`: reads large input and shares it among processes, here or on a cluster.
- `coverage`: lists which errors tags can give, and which of them tests have seen.
- `cel`: tries, estimates and tests rules in CEL; `pytestplugin` lets pytest run the tests of such rules.
- `stdio`: answers requests line by line, for programs in other languages.
- `serve`: runs a webhook behind HTTPS. `review` asks one, as an API server does.
"""
