"""Links that lead nowhere are found."""

from tools.links import find_broken


def test_broken_links_are_named(tmp_path):
    (tmp_path / "a.html").write_text(
        '<p id="here"></p><a href="b.html#there"></a><a href="#here"></a><img src="no.png">'
    )
    (tmp_path / "b.html").write_text('<h1 id="there"></h1><a href="a.html#gone"></a><a href="https://x.org/y"></a>')
    assert find_broken(tmp_path) == ["a.html: no.png leads nowhere", "b.html: a.html#gone leads nowhere"]
