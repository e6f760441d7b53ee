"""A score card as the page needs it to be ticked: its lines with points, and the risk of each sum."""

from typing import Any

from glade.core.names import show_name
from glade.report.numbers import exact


def describe_card(model: Any) -> dict[str, Any]:
    """The lines, the most points first, and for each sum its risk, its rows and the share of the event among these."""
    card, risks = model.card_, model.risk_table_
    return {
        "event": show_name(model.event_),
        "lines": [
            {"words": words, "points": int(points), "share": float(share)}
            for words, points, share in zip(card["rule"], card["points"], card["share"], strict=True)
        ],
        "sums": risks["points"].astype(int).tolist(),
        "risks": exact(risks["risk"].to_numpy()),
        "rows": exact(risks["rows"].to_numpy()),
        "observed": exact(risks["observed"].to_numpy()),
    }
