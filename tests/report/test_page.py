"""The page as text: what it lets a browser do, and that names stay text."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from glade import write_report
from tests import fitted
from tests.report.pages import HOSTILE, facts_of, hostile_pages, page_of, targets_of

NAMES = ["rules, mixed", "tree, text", "forest, numbers", "multi-tree, classes"]


class Elements(HTMLParser):
    """The tags, attributes and scripts of a page."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.contents = [], [], {"script": [], "style": []}
        self._inside = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self._inside = tag if tag in self.contents else None

    def handle_data(self, data):
        if self._inside:
            self.contents[self._inside].append(data)

    def handle_endtag(self, tag):
        self._inside = None


def hash_of(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("name", NAMES)
def test_s3_the_policy_allows_this_script_and_style_alone(name):
    page = Elements(page_of(name))
    policy = dict(
        part.split(" ", 1) for part in next(v for k, v in page.attributes if v and "default-src" in v).split("; ")
    )
    (_, script), (style,) = page.contents["script"], page.contents["style"]
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == hash_of(script)
    assert policy["style-src"] == hash_of(style)
    assert set(policy) == {"default-src", "script-src", "style-src", "base-uri", "form-action"}


@pytest.mark.parametrize("name", NAMES)
def test_s3_nothing_is_fetched(name):
    page = Elements(page_of(name))
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    assert all(key not in ("src", "srcset", "style") and not key.startswith("on") for key, _ in page.attributes)
    assert all(value.startswith("#") for key, value in page.attributes if key == "href")
    own = "".join([page.contents["script"][1], *page.contents["style"]])
    assert set(re.findall(r"https?://[^\s\"']+", own)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "url(" not in own
    assert "@import" not in own


def test_s1_s2_hostile_names_stay_text():
    usual = Elements(page_of("rules, mixed")).tags
    for page in hostile_pages():
        elements = Elements(page)
        assert elements.tags.count("script") == 2
        assert set(elements.tags) <= {*usual, "p", "a"}
        island = elements.contents["script"][0]
        assert not set("<>&'\u2028\u2029") & set(island)
        names = [own["name"] for own in json.loads(island)["inputs"]]
        assert names[0] == HOSTILE[0]
        assert not any("\u2028" in name or "\x1b" in name for name in names)
        assert "{{ 7 * 7 }}" in names
        page.encode()


def test_the_page_is_written_whole(tmp_path):
    model, (X, _) = fitted.fit("tree, text"), fitted.make_table()
    path = write_report(model, X, targets_of(model), tmp_path / "page.html", name="a.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert "a.csv" in path.read_text()
    with pytest.raises(OSError, match=r"bytes of .* were not written"):
        write_report(model, X, path=tmp_path / "none" / "page.html")


def test_s15_a_page_without_rows_names_none_of_them():
    facts = facts_of("rules, mixed", with_rows=False)
    assert facts["sample"] is None
    assert set(facts) == set(facts_of("rules, mixed"))
