"""Sources of the handwritten answers: a Python function, another program, or an admission webhook.

A side takes many requests at once and answers each with errors or with the reason why there is no answer. Each worker
process has one, made from a specification that can be pickled. Nothing here judges an answer.
"""

from validation_gen.uses.compare.sides.options import SideOptions, SideSpec
from validation_gen.uses.compare.sides.routed import RoutedSpec
from validation_gen.uses.compare.sides.specs import parse_spec
from validation_gen.uses.compare.sides.untrusted import Answer, Refusal, Side, SpecError

__all__ = ["Answer", "Refusal", "RoutedSpec", "Side", "SideOptions", "SideSpec", "SpecError", "parse_spec"]
