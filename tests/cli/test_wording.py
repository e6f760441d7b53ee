"""One advice, in the words of the library and of the command line."""

import pytest

from glade.cli.wording import word_for_shell
from glade.core.advice import Advice, Setting
from glade.core.errors import InputError
from glade.files.read import read_file

FILES = {
    "separator": ("a;y\n1\n2\n", "did you mean sep=';'?", "did you mean --sep ';'?"),
    "one column": ("y\n1\n2\n", "split by ',' (sep=)?", "split by ',' (--sep)?"),
    "no header": ("1.5,2\n3,4\n", "if it is a row, give header=False;", "if it is a row, give --no-header;"),
    "infinite": ("a,y\n1,2\ninf,3\n", "give missing=[..., 'inf']", "give --na inf"),
    "encoding": (b"a,y\n\xe9,1\n", "give encoding= (latin-1", "give --encoding (latin-1"),
    "weights of ARFF": ("@attribute a real\n@data\n1, {2}\n", "and give sample_weight=", "and give --weight"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_fault_names_parameters_in_the_library_and_options_on_the_command_line(glade, tmp_path, case):
    text, in_library, on_command_line = FILES[case]
    path = tmp_path / "t.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert in_library in str(caught.value)
    assert "--" not in str(caught.value)
    code, _, err = glade("check", path, "-t", "y")
    assert code == 2
    assert on_command_line in err


def test_reasons_and_notes_name_parameters_in_the_library(tmp_path):
    rows = "007,?,?,1\n008,n/a,Rome,2\n009,3,Oslo,3\n010,4,Bonn,4\n011,5,Bern,5\n"
    (tmp_path / "t.csv").write_text(f"zip,rate,city,y\n{rows}")
    table = read_file(tmp_path / "t.csv")
    assert table.reasons["zip"] == "leading zeros, first in line 2 (numeric=[..., 'zip'] if they are amounts)"
    assert table.reasons["rate"].endswith("(missing=[..., 'n/a'] if that means missing)")
    assert table.notes[-1] == "1 of 'city' read ?, NA, NaN, first in line 2: taken as missing (missing=[] keeps them)"
    assert word_for_shell(table.notes[-1]).endswith("taken as missing (--no-default-na keeps them)")


def test_an_advice_in_an_advice_is_worded_too():
    inner = Advice("give ", Setting("encoding", "utf-16"))
    assert word_for_shell(Advice("line 3: ", inner, ", or ", "correct it")) == (
        "line 3: give --encoding utf-16, or correct it"
    )


def test_values_that_a_shell_would_split_are_quoted():
    advice = Advice(Setting("missing", ("n/a", "-999", "two words")))
    assert word_for_shell(advice) == "--na 'n/a' --na -999 --na 'two words'"
