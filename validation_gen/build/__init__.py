"""Builds a judged program: from sources, through the rules of the catalogue, to what emitters read.

What comes in are `Settings`: paths, options, the target release. What goes out is a `Program` of the room `ir`, with
the findings about it. A type with errors is not in the program, nor are the types that use it; all others are.

The room never decides what a single tag means (`rules` does) or what output looks like (`emit` does). It prints nothing
and writes no file; what is wrong in a user's file is a `Diagnostic`, never an exception.

Begin with `pipeline`: a page that runs the stages in order.

- `settings`: what a run is asked to do, as one value. Results that are kept are found by it.
- `config`: reads the project's configuration, says what may stand in it, and whether the project is trusted.
- `stages`: reads sources, and applies rules to what they say.
- `lower`: chooses packages and kinds, walks their types, applies each tag, and settles what waits for others.
- `lint`: warns of what is legal but unwise, and of slips that nothing reaches. It changes nothing.
- `fixes`: proposes fixes for findings. It changes no file, and it does not guess.
- `schemarules`: the schemas by which validators judge kinds with markers, too.
- `defined`: the kinds that CustomResourceDefinitions define, as a program.
- `definitions`: goes on from a program to definitions, documents and schemas, for all uses that write them.
- `webhookfiles`: goes on to the manifests of a webhook, and judges them.
- `emitters`: one record for each output, with the function that makes its files.
"""
