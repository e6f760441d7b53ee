"""Each trick can be taken out of a copy of the package: the texts that are replaced are there, once."""

import ast

import pytest

from tools.ablation import TRICKS, copy_without


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_is_taken_out_of_a_copy(trick, tmp_path):
    copy = copy_without(trick, tmp_path)
    for name, old, new in TRICKS[trick]:
        text = (copy / "src" / "glade" / name).read_text("utf-8")
        assert new in text
        assert not old.strip() or old in new or old not in text
        ast.parse(text)


def test_a_text_that_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(TRICKS, "none", [("grow/_split.py", "no such text", "")])
    with pytest.raises(ValueError, match="does not hold this text once"):
        copy_without("none", tmp_path)
