"""What hatchling asks when it makes the metadata: the README with links that also work on the package index."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "https://github.com/glade-models/glade"
PICTURES = "https://raw.githubusercontent.com/glade-models/glade/main"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)]+)\)")


def make_links_absolute(text: str) -> str:
    """Let links and pictures of the repository point to where it is published."""

    def replace(found: re.Match[str]) -> str:
        picture, words, place = found.groups()
        base = PICTURES if picture else f"{REPOSITORY}/blob/main"
        return f"{picture}[{words}]({base}/{place})"

    return LINK.sub(replace, text)


class ReadmeHook(MetadataHookInterface):
    """Gives the project its long description."""

    def update(self, metadata: dict) -> None:
        """Set the README."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": make_links_absolute(text)}
