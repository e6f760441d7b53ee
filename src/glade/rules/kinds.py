"""The kinds of terms there are, in the order in which a design has them; hard rules come first."""

from glade.rules.blocks import TermBlock
from glade.rules.hard import HardRules
from glade.rules.linear import LinearTerms
from glade.rules.listed import ListedRules, VotingRules
from glade.rules.logic import LogicRules
from glade.rules.soft import SoftRules

KINDS: list[type[TermBlock]] = [HardRules, ListedRules, VotingRules, LogicRules, SoftRules, LinearTerms]


def order_of(block: TermBlock) -> int:
    """The place of a block among the kinds; those that are none of them come last."""
    return next((k for k, kind in enumerate(KINDS) if isinstance(block, kind)), len(KINDS))
