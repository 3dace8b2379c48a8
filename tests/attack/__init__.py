"""Attacks on the command line by somebody who wants it to crash, to hang, to write elsewhere or to run something.

Each module that defines attacks does one kind: mutated inputs, hostile names, inputs that change while they are read,
kills, growth. `running` calls the program, `watching` sees what it does to the system, `attacks` is the list.

`pytest tests/attack` makes a small number of tries of each, with a fixed seed. `make attack` (`python -m tests.attack`)
makes many, with a seed of one's own, and prints a table. Nothing here says what the
program should answer; tests of the rooms do.
"""
