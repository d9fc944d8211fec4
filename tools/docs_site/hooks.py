"""What mkdocs cannot know by itself: the pages that are made, the navigation, and how links of the repository read here.

Named in mkdocs.yml. The navigation is in one place: the headings of docs/README.md and the pages that their tables name.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # mkdocs loads this file by its path

from tools.docs_site import made_pages, markdown  # noqa: E402

PICTURES = ROOT / "build" / "docs-pictures"
_INDEX = "README.md"
_STYLE = Path(__file__).with_name("site.css")
_WIDE = re.compile(r"<(pre|table)(?=[ >])")
_SEARCH = 'data-md-component="search" role="dialog"'


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation."""
    index = (Path(config.docs_dir) / _INDEX).read_text("utf-8")
    sections = [{heading: list(pages)} for heading, pages in markdown.sections(index).items() if pages]
    config.nav = [{"Home": _INDEX}, {"Quick start": "quickstart.md"}, *sections, *made_pages.navigation(ROOT)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, the guides with their changes, and the pictures."""
    for path, text in made_pages.pages(ROOT, sorted(PICTURES.glob("*.png"))).items():
        files.append(File.generated(config, path, content=text))
    for path, text in made_pages.guides().items():
        files.append(File.generated(config, f"guide/{path}", content=text))
    files.append(File.generated(config, _STYLE.name, abs_src_path=str(_STYLE)))
    for picture in PICTURES.glob("*.png"):
        files.append(File.generated(config, f"pictures/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(text: str, files: Files, **_: Any) -> str:
    """Return the page as this site needs it."""
    titles = {file.src_uri: markdown.title(file.content_string) for file in files.documentation_pages()}
    return markdown.for_site(text, titles | {"quickstart.md": "Quick start"})


def on_post_page(output: str, **_: Any) -> str:
    """Mend what the theme leaves out: the name of its search, and the keyboard's way into code and tables that scroll."""
    return _WIDE.sub(r'<\1 tabindex="0"', output.replace(_SEARCH, f'{_SEARCH} aria-label="Search"'))
