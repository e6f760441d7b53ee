"""Whatever the bytes of a table, of JSON or of a CLUS file are: what is read makes sense, or one sentence says why not.

The cases begin with real files that are changed at random; their memory and time are watched.
`GLADE_FUZZ_SECONDS` says how long the readers are tried.
"""

import gzip
import json
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glade
from glade.core.errors import InputError, ModelFileError, ResourceError
from glade.files.read import read_file
from tests.campaign.commands import Tally
from tests.fuzz.measuring import SECONDS, SEED, Costs

MANY_LINES = "refused in many lines"
MOST_MEMORY, MOST_SECONDS = 300e6, 10.0  # for a file of a few kilobytes
PIECES = [
    b"", b"\x00", b"\xff\xfe", b'"', b'""', b"'", b",", b";", b"\t", b"\n", b"\r", b"\r\n", b"?", b"NA", b"nan", b"inf",
    b"-", b"1e309", b"9" * 400, b"0x1", b"{", b"}", b"[", b"]", b"@data\n", b"@attribute x {", b"%", b"\xc3\x28",
    "ß".encode(), b"=1+1", b"null", b"1e999", b"true", b"\\u0000", b"-0", b"1" * 30_000,
]  # fmt: skip
ARFF = "@relation r\n@attribute a numeric\n@attribute 'b c' {x,'y z'}\n@data\n" + "".join(
    f"{k},{'x' if k % 3 else chr(39) + 'y z' + chr(39)}\n" for k in range(40)
)


def make_files(folder) -> dict[str, bytes]:
    """A sound file for each reader."""
    table = glade.load_penguins().head(60)
    table.to_csv(folder / "t.csv", index=False)
    table.to_parquet(folder / "t.parquet")
    known = table.dropna()
    model = glade.RuleEnsembleRegressor(glade.ForestRegressor(5, max_depth=3), max_rules=4, random_state=0)
    model.fit(known.drop(columns="body_mass_g"), known["body_mass_g"])
    return {
        "t.csv": (folder / "t.csv").read_bytes(),
        "t.csv.gz": gzip.compress((folder / "t.csv").read_bytes()),
        "t.arff": ARFF.encode(),
        "t.parquet": (folder / "t.parquet").read_bytes(),
        "t.json": glade.export(model, "json").encode(),
    }


def mutate(content: bytes, random: np.random.Generator) -> bytes:
    """Some changes: a piece put in or written over, bytes cut out, repeated or flipped."""
    changed = bytearray(content)
    for _ in range(int(random.integers(1, 4))):
        at, length = int(random.integers(len(changed) + 1)), int(random.geometric(0.1))
        piece = PIECES[int(random.integers(len(PIECES)))]
        match int(random.integers(5)):
            case 0:
                changed[at:at] = piece
            case 1:
                changed[at : at + length] = piece
            case 2:
                del changed[at : at + length]
            case 3:
                changed[at:at] = changed[at : at + length] * int(random.integers(1, 50))
            case _:
                if at < len(changed):
                    changed[at] ^= 1 << int(random.integers(8))
    return bytes(changed)


def change_value(content: bytes, random: np.random.Generator) -> bytes:
    """JSON that can be parsed, in which a value is another one, or gone."""
    document = json.loads(content)
    places = list(list_places(document))
    holder, key = places[int(random.integers(len(places)))]
    if random.random() < 0.2:
        del holder[key]
    else:
        strange = [None, True, -1, 2**70, 0.5, 1e308, "", "x", [], {}, [[]], [None], {"x": 1}, "NaN"]
        holder[key] = strange[int(random.integers(len(strange)))]
    return json.dumps(document).encode()


def list_places(value):
    """Each entry of each list and dictionary within."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from list_places(value[key])


def read_table(path) -> None:
    """A table with rows and columns of one length."""
    table = read_file(path)
    assert len(table.frame.columns) > 0


def read_model(path) -> None:
    """A model whose predictions of the rows it was made from are finite."""
    model = glade.from_json(path.read_text("utf-8"))
    rows = glade.load_penguins().dropna().head(20)
    names = list(model.schema_.names)
    if set(names) <= set(rows):
        predicted = pd.DataFrame(model.predict(rows[names])).select_dtypes("number")
        assert np.isfinite(predicted.to_numpy()).all()


def is_ours(fault: Exception) -> bool:
    """Whether glade itself says that a value is wrong."""
    last = traceback.extract_tb(fault.__traceback__)[-1].filename
    return isinstance(fault, ValueError) and last.startswith(str(Path(glade.__file__).parent))


READERS: dict[str, Callable[..., None]] = dict.fromkeys(("t.csv", "t.csv.gz", "t.arff", "t.parquet"), read_table)
READERS["t.json"] = read_model


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_read_or_refused_in_one_sentence(name, tmp_path, capsys):
    content, random = make_files(tmp_path)[name], np.random.default_rng(SEED)
    path = tmp_path / f"changed.{name.partition('.')[2]}"
    path.write_bytes(content)
    READERS[name](path)
    tally, costs, end = Tally(name), Costs(), time.monotonic() + SECONDS / len(READERS)
    while time.monotonic() < end:
        case = f"case {tally.endings.total()} of seed {SEED}"
        own = change_value(content, random) if name == "t.json" and random.random() < 0.6 else mutate(content, random)
        path.write_bytes(own)
        with costs.measure(case):
            try:
                READERS[name](path)
                tally.endings["read"] += 1
            except (InputError, ModelFileError, ResourceError, UnicodeDecodeError) as fault:
                tally.endings["refused" if "\n" not in str(fault).strip() else MANY_LINES] += 1
            except Exception as fault:
                if is_ours(fault):  # labels were changed to what no row holds, and the model says so when it predicts
                    tally.endings["refused by predict"] += 1
                    continue
                (tmp_path / "failing").write_bytes(own)
                raise AssertionError(f"{case}: {fault!r}; the bytes are in {tmp_path / 'failing'}") from fault
    with capsys.disabled():
        print(tally, costs)
    assert tally.endings
    assert MANY_LINES not in tally.endings
    assert max(costs.memory.values()) < MOST_MEMORY
    assert max(costs.seconds.values()) < MOST_SECONDS


def test_parquet_with_damaged_metadata_is_refused_in_one_sentence(tmp_path):
    """What pandas left in the file names a type that there is not: found by the fuzzer above, as a TypeError."""
    path = tmp_path / "t.parquet"
    glade.load_penguins().head(5).to_parquet(path)
    content = path.read_bytes()
    assert b'"pandas_type": "unicode"' in content
    path.write_bytes(content.replace(b'"pandas_type": "unicode"', b'"pandas_type": "unigode"'))
    with pytest.raises(InputError, match="cannot be read as Parquet: data type 'unigode' not understood"):
        read_file(path)
