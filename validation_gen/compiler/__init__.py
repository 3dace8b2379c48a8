"""Builds a program: from sources, through the rules of the catalogue, to the input of emitters.

The input are `Settings`: paths, options, the target release. The output is a `Program` of the room `ir`, with the
findings about it. A type with errors is not in the program, nor are the types that use it; all others are.

The room never decides the meaning of a single tag (`rules` does) or the form of output (`emit` does). It prints nothing
and writes no file; a problem in a user's file is a `Diagnostic`, never an exception.

Begin with `pipeline`: a page that runs the stages in order.

- `settings`: the configuration of a run, as one value. It is the key of cached results.
- `config`: reads the project's configuration, declares its keys, and checks whether the project is trusted.
- `stages`: reads sources, and applies rules to them.
- `lower`: chooses packages and kinds, walks their types, applies each tag, and resolves deferred checks.
- `lint`: warns of legal but unwise tags, and of mistakes in unused ones. It changes nothing.
- `fixes`: proposes fixes for findings. It changes no file, and it does not guess.
- `schemarules`: the schemas with which validators check kinds with markers.
- `defined`: converts the kinds of CustomResourceDefinitions to a program.
- `definitions`: writes definitions, documents and schemas of a program, for all uses.
- `clusterfiles`: writes a program as admission policies, and the manifests of a webhook, and checks them.
- `emitters`: one record for each output, with the function that makes its files.
"""
