"""What the README, the guide and the reference show is what runs: all snippets, with what they print."""

from pathlib import Path

import pytest

from docs.run_pages import list_pages, read_blocks, run_page, same_text

MAKE_ANEW = "`python -m docs.run_pages` writes what is printed now"


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_the_snippets_of_a_page_run_and_print_what_it_shows(page, tmp_path):
    wrong = run_page(page.read_text("utf-8"), tmp_path).differences()
    assert not wrong, "\n\n".join([*wrong, MAKE_ANEW])


def test_every_page_of_the_guide_has_snippets():
    for page in list_pages():
        assert read_blocks(page.read_text("utf-8")) or page.stem == "index", page


def test_a_difference_is_found(tmp_path):
    page = "```python\nprint(1 + 1, 'birds')\n```\n\n```text\n{}\n```\n"
    assert run_page(page.format("2 birds"), tmp_path).differences() == []
    assert len(run_page(page.format("3 birds"), tmp_path).differences()) == 1
    assert "2 birds" in run_page(page.format("3 birds"), tmp_path).renewed()


def test_a_command_and_what_it_prints_are_compared(tmp_path):
    page = "```console\n$ glade --version\nglade, version 0\n\n$ cat penguins.csv\nspecies\n...\n```\n"
    renewed = run_page(page, tmp_path).renewed()
    assert "glade, version 0." in renewed
    assert Path(tmp_path / "penguins.csv").read_text().splitlines()[0] in renewed
    assert run_page(renewed, tmp_path).differences() == []


def test_a_command_that_fails_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="exit code 2"):
        run_page("```console\n$ glade fit nowhere.csv -t y\n```\n", tmp_path)


def test_times_and_last_digits_may_differ_and_words_may_not():
    assert same_text("fitted in 0:09, error 3.001", "fitted in  0:43, error 3.002")
    assert same_text("model  error  fit s\ntree  0.3  1.00\n", "model  error  fit s\ntree  0.3  9.00\n")
    assert not same_text("rule 1", "rule 2")
    assert not same_text("model  error\ntree  0.3\n", "model  error\ntree  0.4\n")
    assert not same_text("sex = male", "sex = female")


def test_where_only_seconds_differ_a_page_stays_as_it_is(tmp_path):
    page = "```python\nprint('model  size  fit s')\nprint('tree      9   5.29')\n```\n\n```text\n{}\n```\n"
    shown = page.format("model size fit s\ntree 9 1.10")
    assert run_page(shown, tmp_path).renewed() == shown
    assert "5.29" in run_page(page.format("model size fit s\ntree 8 1.10"), tmp_path).renewed()
