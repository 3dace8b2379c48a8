"""Other implementations of CEL, asked about expressions that are drawn at random.

They are no servers: where one of them differs from cel-go, as its source and its tests have it, nothing is drawn that
shows it. `forms` has what expressions are made of, `drawing` makes them, `engines` says what each implementation cannot
be asked.
"""
