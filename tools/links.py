"""Follow all links of a site inside itself: `python -m tools.links build/docs` names those that lead nowhere."""

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The links of a page, and the places in it that links can name."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {"", "top"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            elif value and name in ("id", "name"):
                self.places.add(value)


@cache
def read_page(path: Path) -> _Page:
    """A page, read once."""
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def find_broken(folder: Path) -> list[str]:
    """A sentence for each link of a page of the folder that leads to no file, or to no place of one."""
    broken = []
    for path in sorted(folder.rglob("*.html")):
        for link in read_page(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or parts.query:
                continue
            aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            aim = aim / "index.html" if aim.is_dir() else aim
            missing = not aim.exists() or (
                aim.suffix == ".html" and unquote(parts.fragment) not in read_page(aim).places
            )
            if missing:
                broken.append(f"{path.relative_to(folder)}: {link} leads nowhere")
    return broken


def main(folder: str) -> None:
    """Print broken links; the exit code tells whether there are any."""
    broken = find_broken(Path(folder).resolve())
    print("\n".join(broken) or f"all links inside {folder} lead somewhere")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main(*sys.argv[1:])
