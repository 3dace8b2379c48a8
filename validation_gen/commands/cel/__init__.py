"""CEL rules at a location: their values on an object, and the checks of servers of each release.

`evaluation` finds the schema of a rule's location, in a definition or guessed from an object, and evaluates and checks
there. `costs` estimates the maximum cost of rules and counts the cost on an object, `limits` has the share that comes
from missing limits of a schema. `suites` runs tables of tests. Nothing is printed here, and only `suites` reads files.
"""
