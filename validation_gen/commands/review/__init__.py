"""Calls a webhook about objects, as an API server does, and shows its answers.

- `asking` makes reviews of objects, sends them, and renders the answers in the words of kubectl. Begin there.
- `answers` reads the answers, which are untrusted, and applies their changes.
"""

from validation_gen.commands.review.answers import Reviewed
from validation_gen.commands.review.asking import Question, UnaskedError, Webhook, convert, review

__all__ = ["Question", "Reviewed", "UnaskedError", "Webhook", "convert", "review"]
