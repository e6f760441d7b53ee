"""A forest as the page needs it to send rows down its trees, where it is small enough."""

from typing import Any

from glade.ensemble.forest import Forest, to_votes
from glade.ensemble.smoothing import mix_shares
from glade.report.numbers import exact
from glade.report.tree_facts import describe_splits

MAX_NUMBERS = 45_000  # of leaf values, and of splits with five numbers each


def describe_forests(model: Any) -> list[dict[str, Any]] | None:
    """The trees of each forest of a model, in one list of nodes; None where they are too many for a page."""
    numbers = [own.n_leaves * own.nodes.value.shape[1] + 5 * len(own.nodes.split_node) for own in model.forests_]
    return [_describe(forest, model.voting) for forest in model.forests_] if sum(numbers) <= MAX_NUMBERS else None


def _describe(forest: Forest, voting: str) -> dict[str, Any]:
    nodes = forest.nodes
    value = to_votes(nodes.value, forest.schema) if voting == "majority" else nodes.value
    value = mix_shares(value, forest.schema, forest.mixed)
    return {
        "roots": nodes.roots.tolist(),
        "split": nodes.split.tolist(),
        "splits": describe_splits(nodes),
        "value": [own if place < 0 else None for own, place in zip(exact(value), nodes.split.tolist(), strict=True)],
        "memory": forest.learning_rate,
        "start": exact(forest.start),
        "links": [link.name for link in forest.links],
    }
