"""Whether a model is better than a guess that looks at no input, and by how much, in words."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.models.errors import Rows, find_explained

Floats = NDArray[np.float64]
SET_APART = 10_000  # from here on thousands are
ERRORS = 2.0  # standard errors that a difference needs
WORSE = 0.03  # of what varies: a guess by the training rows is about so much behind one by the rows themselves
WORDS = (
    (0.95, "nearly perfect"),
    (0.5, "much better than guessing"),
    (0.15, "clearly better than guessing"),
    (0.0, "a little better than guessing"),
)
SAME, UNSURE = "no better than guessing", "not clearly better than guessing"
NOTHING = "there is nothing to predict: the target does not vary"


def judge(values: Floats, truth: Floats, is_class: bool) -> dict[str, Any]:
    """The share of what varies that the predictions explain, with its standard error, and a verdict in words.

    What varies is the square of what a guess is off: always the mean, or for classes always their shares (the Brier
    score). A model is better than that where the mean difference over the rows is beyond its standard error twice.
    """
    found = find_explained(Rows.of(truth, values), is_class)
    if found is None:
        return {"share": None, "se": None, "words": NOTHING}
    share, se = found
    return {"share": share, "se": se if np.isfinite(se) else None, "words": word_verdict(share, se)}


def word_verdict(share: float, se: float) -> str:
    """In words.

    >>> word_verdict(0.3, 0.05), word_verdict(0.05, 0.05), word_verdict(-0.4, 0.1)
    ('clearly better than guessing', 'no better than guessing', 'worse than guessing')
    >>> word_verdict(0.21, 0.12)
    'not clearly better than guessing'
    """
    if share < -max(ERRORS * se, WORSE):
        return "worse than guessing"
    if not share > ERRORS * se:
        return UNSURE if share > se else SAME
    return next((words for least, words in WORDS if share >= least), SAME)


def word_share(share: float, unit: str = "%") -> str:
    """A share in hundredths, with a decimal only near the ends.

    >>> word_share(0.216), word_share(0.004), word_share(0.12, " points")
    ('22%', '0.4%', '12 points')
    """
    hundredths = 100.0 * share
    is_near_end = 0.05 <= hundredths < 0.95 or 99.05 < hundredths < 99.95
    return f"{hundredths:.{1 if is_near_end else 0}f}{unit}"


def word_chance(p: float) -> str:
    """A probability, which is never told as certain; as the page's script does it.

    >>> word_chance(1.0), word_chance(0.42), word_chance(0.001)
    ('over 99%', '42%', 'under 1%')
    """
    return "over 99%" if p > 0.995 else "under 1%" if p < 0.005 else word_share(p)


def write_verdict(quality: dict[str, Any] | None, targets: list[str]) -> str:
    """How good the model is, in one sentence, before anything else is said."""
    told = [] if quality is None else [own for own in quality["targets"] if own is not None]
    if quality is None or not told:
        return "How good it is cannot be told: the table holds no targets to compare its predictions with."
    if not quality["isUnseen"]:
        mean = _word_mean_share(told) or "nothing varies"
        return f"How good it is for new rows is not known. On this table, which it may have been fitted to, {mean}."
    where = "On rows it had not seen"
    if len(told) == 1 and len(targets) == 1:
        own = told[0]["verdict"]
        return f"{where}, it is {own['words']}{_word_amount(own)}."
    counts = Counter(own["verdict"]["words"] for own in told)
    if len(counts) == 1:
        mean = _word_mean_share(told)
        on_average = f": {mean}, on average" if mean else ""
        return f"{where}, it is {next(iter(counts))} for all {len(told)} targets{on_average}."
    order = [*(words for _, words in WORDS), UNSURE, SAME]
    places = sorted(counts, key=lambda words: order.index(words) if words in order else len(order))
    listed = [f"{words} for {counts[words]}" for words in places]
    return f"{where}, it is {', '.join(listed[:-1])} and {listed[-1]} of {len(told)} targets."


def _word_mean_share(told: list[dict[str, Any]]) -> str:
    """What the model explains of these targets, on average; nothing where none varies."""
    shares = [own["verdict"]["share"] for own in told if own["verdict"]["share"] is not None]
    return f"it explains {word_share(float(np.mean(shares)))} of what varies" if shares else ""


def _word_amount(own: dict[str, Any]) -> str:
    if own["share"] is None or own["words"] == SAME or own["share"] <= 0:
        return ""
    band = "" if own["se"] is None else f" ({_word_range(own['share'], own['se'])})"
    return f": it explains {word_share(own['share'])} of what varies{band}"


def _word_range(share: float, se: float) -> str:
    """Where the share that is explained may well lie, were there more rows to judge by.

    >>> _word_range(0.29, 0.08), _word_range(0.02, 0.05)
    ('likely between 13% and 45%', 'likely between 0% and 12%')
    """
    low, high = (word_share(float(np.clip(share + side * ERRORS * se, 0.0, 1.0))) for side in (-1, 1))
    return f"likely between {low} and {high}"


def write_lead(own: dict[str, Any], target: dict[str, Any], event: int | None) -> str:
    """What the quality of one target means for a reader: how often it is right, how far it is off."""
    if target["classes"] is None:
        digits = target["spread"][0]
        mine, guess, most = (show_number(x, digits) for x in (own["mae"], own["guessMae"], own["within"][-1][1]))
        return (
            f"On average it is off by {mine}; always guessing the middle value is off by {guess}. Nine of ten"
            f" predictions are off by less than {most}."
        )
    commonest = target["classes"][int(np.argmax(own["counts"]))]
    right, guessed = word_share(own["right"]), word_share(own["guess"])
    decision = _word_decision(target, event)
    lead = f"{decision}It is right for {right}; always guessing {commonest} is right for {guessed}."
    if event is None or not own["curves"] or own["curves"][event] is None:
        return lead
    found, alarms = own["said"]
    n_events, label = own["counts"][event], target["classes"][event]
    order = word_share(own["curves"][event]["area"], "")
    false = f"{alarms} false alarm{'' if alarms == 1 else 's'}"
    return (
        f"{lead} It finds {found} of the {n_events} rows that are {label}, with {false}; of two rows, one {label} and"
        f" one not, it ranks the right one higher {order} times of 100."
    )


def _word_decision(target: dict[str, Any], event: int | None) -> str:
    """When a class is said, unless it is the most probable one."""
    if event is not None and "threshold" in target:
        label, at = target["classes"][event], target["threshold"]
        return f"It never says {label}. " if at > 1 else f"It says {label} from a chance of {word_share(at)} on. "
    if "weights" in target or "costs" in target:
        return "What it says goes by what errors cost, not only by what is likeliest. "
    return ""


def show_number(value: float, spread: float) -> str:
    """A number with the digits that the tables of the page have: those that the spread of the target makes meaningful.

    >>> show_number(32109.7, 52853.0), show_number(1074.2, 802.0), show_number(0.0412, 0.3)
    ('32,110', '1074', '0.04')
    """
    if not np.isfinite(spread) or spread <= 0:
        return f"{value:,.4g}"
    shown = f"{value:.{int(np.clip(1 - np.floor(np.log10(spread)), 0, 12))}f}"
    return f"{float(shown):,.{len(shown.partition('.')[2])}f}" if abs(float(shown)) >= SET_APART else shown
