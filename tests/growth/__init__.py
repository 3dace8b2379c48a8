"""How the time that something takes grows with what it is given."""
