"""What generated validators import. Standard library only: they run where the generator is not installed."""
