"""How Sphinx makes the site: `make docs` writes it to build/docs."""

import os
import warnings
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from glade import __version__

ROOT = Path(__file__).parents[1]

project = "glade"
author = "The glade developers"
project_copyright = "2026, the glade developers"
version = release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.autodoc",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["templates"]
exclude_patterns = ["gallery"]

# Pages in Markdown.
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3

# The reference, from the docstrings.
autosummary_generate = True
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"  # the docstrings say the types
autosummary_ignore_module_all = False
numpydoc_show_class_members = False  # the template of classes shows them in full

# The gallery: every example runs, and its pictures are made.
warnings.filterwarnings("ignore", category=UserWarning, message="target values are missing")
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "ignore_repr_types": "matplotlib",  # the picture is shown, not what made it
    "reference_url": {"glade": None},
    "min_reported_time": 10_000,
    "show_memory": False,
    "write_computation_times": False,
}

# The look.
html_theme = "pydata_sphinx_theme"
html_title = "glade"
html_static_path = ["static"]
html_css_files = ["glade.css"]
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
html_sidebars = {"guide/*": ["sidebar-nav-bs"], "index": []}


def append_help(app, page, source):
    """Give the page about the command line a section for each command, with the help that it prints."""
    if page != "reference/command-line":
        return
    import click

    from glade.cli.main import glade

    with click.Context(glade, info_name="glade") as group:
        for name in ["", *glade.list_commands(group)]:
            command = glade.get_command(group, name) if name else glade
            context = click.Context(command, info_name=name, parent=group) if name else group
            heading = f"\n## {name}\n" if name else ""
            source[0] += f"{heading}\n```text\n{command.get_help(context)}\n```\n"


def setup(app):
    """Connect what is ours to Sphinx."""
    app.connect("source-read", append_help)
