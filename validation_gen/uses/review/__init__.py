"""Calls a webhook about objects, as an API server does, and shows its answers.

- `asking` makes reviews of objects and sends them. Begin there.
- `answers` reads the answers, which are untrusted, and `patches` applies their changes.
- `told` renders them in the words of kubectl.
"""

from validation_gen.uses.review.answers import Reviewed
from validation_gen.uses.review.asking import Question, UnaskedError, Webhook, convert, review

__all__ = ["Question", "Reviewed", "UnaskedError", "Webhook", "convert", "review"]
