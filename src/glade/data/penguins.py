"""The Palmer penguins: a small real table with nominal, numeric and missing values, for examples and the demo.

Size measurements of 344 penguins near Palmer Station, Antarctica, collected by Dr. Kristen Gorman and the Palmer
Station LTER; released under CC0 by Horst, Hill and Gorman (2020) in the package palmerpenguins, from which penguins.csv
comes unchanged. Gorman, Williams, Fraser (2014), PLoS ONE 9(3): e90081.
"""

from importlib.resources import files
from typing import Any


def load_penguins() -> Any:
    """Return the Palmer penguins, a small table to try things on.

    Returns
    -------
    DataFrame
        344 rows of three species, with gaps: a pandas dataframe.

    Examples
    --------
    >>> from glade import load_penguins
    >>> load_penguins().shape
    (344, 8)
    """
    import pandas as pd

    with files("glade.data").joinpath("penguins.csv").open("rb") as file:
        return pd.read_csv(file)
