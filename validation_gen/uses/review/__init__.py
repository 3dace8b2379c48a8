"""Asks a webhook about objects, as an API server does: whether they are admitted, and what becomes of them.

- `asking` makes reviews of objects and sends them. Begin there.
- `answers` reads what comes back, which may be anything, and `patches` applies what it changes.
- `told` says it in the words of kubectl.
"""

from validation_gen.uses.review.answers import Reviewed
from validation_gen.uses.review.asking import Question, UnaskedError, Webhook, convert, review

__all__ = ["Question", "Reviewed", "UnaskedError", "Webhook", "convert", "review"]
