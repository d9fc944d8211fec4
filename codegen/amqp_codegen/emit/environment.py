"""The Jinja environment: template folders, filters, tests, and errors of templates as problems."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from jinja2 import (
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplatesNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.bccache import Bucket

from ..model.problem import Position, Problem
from ..support.cache import Cache, cache_key
from ..support.wording import did_you_mean, quote
from . import python_text
from .amqp0.filters import amqp0_filters, amqp0_tests
from .amqp1.filters import amqp1_filters, amqp1_tests
from .fingerprint import code_fingerprint
from .source_text import c_string, comment_lines


class TemplateLoader(FileSystemLoader):
    """A loader of templates and of plain Python modules that only need a header.

    If there is no ``x.py.jinja``, the loader takes the text of ``x.py`` unchanged, after the header.
    """

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return text, path and a check whether it is current; the text of a module begins with the header."""
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            if not template.endswith(".py.jinja"):
                raise
        text, path, is_current = super().get_source(environment, template.removesuffix(".jinja"))
        verbatim = text.replace("{%", "{% endraw %}{{ '{%' }}{% raw %}")
        return f"{{{{ header }}}}\n{{% raw %}}{verbatim}{{% endraw %}}", path, is_current

    def list_templates(self) -> list[str]:
        """Return the names of all templates."""
        return [f"{name}.jinja" if name.endswith(".py") else name for name in super().list_templates()]


class Missing(StrictUndefined):
    """An undefined variable; raises an error also when it is shown as an item of a list."""

    __slots__ = ()
    __repr__ = StrictUndefined.__str__


class _CompiledTemplates(BytecodeCache):
    """Compiled templates in the cache of the user.

    They are bytecode, which is executed when it is loaded: see ``support/cache.py`` for whom it trusts. Damaged
    bytecode could crash the interpreter; the cache notices damage.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket, if the template was compiled before."""
        compiled = self._cache.read(_bytecode_key(bucket))
        if compiled is not None:
            bucket.bytecode_from_string(compiled)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        self._cache.write(_bytecode_key(bucket), bucket.bytecode_to_string())


def _bytecode_key(bucket: Bucket) -> str:
    # Jinja evaluates filters of constants when it compiles: the result depends on our code, too.
    return cache_key("template", code_fingerprint(), bucket.key, bucket.checksum)


def make_environment(
    templates: Path, user_templates: Path | None = None, cache: Cache | None = None
) -> Environment:
    """Return the environment; templates of the user replace ours of the same name."""
    folders = [folder for folder in (user_templates, templates) if folder is not None]
    environment = Environment(
        loader=ChoiceLoader([TemplateLoader(folder) for folder in folders]),
        undefined=Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_CompiledTemplates(cache) if cache and cache.folder and code_fingerprint() else None,
        autoescape=False,  # the output is Python; the filters literal and docstring escape text of the specification
    )
    environment.filters.update(
        {
            "import_from": python_text.import_from,
            "export_list": python_text.export_list,
            "literal": python_text.literal,
            "tuple_literal": python_text.tuple_literal,
            "mapping_source": python_text.mapping_source,
            "tuple_source": python_text.tuple_source,
            "docstring": python_text.docstring,
            "c_string": c_string,
            "comment": comment_lines,
            "json": json.dumps,
            **amqp0_filters(),
            **amqp1_filters(),
        }
    )
    environment.tests.update({**amqp0_tests(), **amqp1_tests()})
    return environment


# Jinja's messages for an undefined name, attribute, filter or test.
_NO_NAME = re.compile(r"'(\w+)' is undefined")
_NO_ATTRIBUTE = re.compile(r"'([\w.]+)\.(\w+) object' has no attribute '(\w+)'")
_NO_FILTER = re.compile(r"No (filter|test) named '(\w+)'")
_DOCUMENT_HINT = "docs/templates.md says what templates see"


def template_problem(
    environment: Environment, template: str, error: Exception, names: Collection[str]
) -> Problem:
    """Return the problem for an exception. Templates can call any method, so it may be of any type."""
    hint = _hint(environment, error, names)
    return Problem("template", _message(error), _place(environment, template, error), hint)


def is_ours(environment: Environment) -> bool:
    """Return whether there are only our own templates: then an exception is a bug of ours."""
    return len(_folders(environment)) == 1


def is_finished(environment: Environment, template: str) -> bool:
    """Return whether a template is a module of ours in which nothing is filled in: it is formatted where it stands."""
    *users, ours = _folders(environment)
    module = template.removesuffix(".jinja")
    if not module.endswith(".py") or _exists(ours, template) or not _exists(ours, module):
        return False
    return not any(_exists(folder, name) for folder in users for name in (template, module))


def _exists(folder: str, name: str) -> bool:
    return os.path.isfile(os.path.join(folder, name))


def _message(error: Exception) -> str:
    if isinstance(error, TemplateNotFound) and not isinstance(error, TemplatesNotFound):
        return f"there is no template {quote(str(error.name))}"
    if isinstance(error, TemplateError):
        # Name the classes of model objects without their modules, which do not concern users.
        return f"the template is wrong: {_NO_ATTRIBUTE.sub(_without_module, _folded(error.message))}"
    if isinstance(error, RecursionError):
        return "the template nests too deeply, or includes or calls itself without end"
    if isinstance(error, UnicodeDecodeError):
        return f"the template is not UTF-8: {error.reason} at octet {error.start}"
    if isinstance(error, UnicodeEncodeError):
        return f"the template makes what no file can hold: {error.reason}"
    return f"the template fails: {type(error).__name__}: {_folded(error)}"


def _without_module(match: re.Match[str]) -> str:
    return f"{match[2]} has no attribute '{match[3]}'"


def _hint(environment: Environment, error: Exception, names: Collection[str]) -> str:
    """Return what the user may have meant, or the document that lists what exists."""
    message = str(error)
    if isinstance(error, TemplateNotFound):
        return did_you_mean(str(error.name), environment.list_templates())
    if missing := _NO_FILTER.search(message):
        known: Collection[str] = environment.filters if missing[1] == "filter" else environment.tests
        return did_you_mean(missing[2], known) or _DOCUMENT_HINT
    if not isinstance(error, UndefinedError):
        return ""
    if missing := _NO_NAME.search(message):
        return did_you_mean(missing[1], names) or _DOCUMENT_HINT
    if missing := _NO_ATTRIBUTE.search(message):
        owner = getattr(sys.modules.get(missing[1]), missing[2], None)
        return (
            did_you_mean(missing[3], [name for name in dir(owner) if not name.startswith("_")])
            or _DOCUMENT_HINT
        )
    return _DOCUMENT_HINT


def _folded(message: object) -> str:
    return " ".join(str(message or "").split()).rstrip(".")


def _place(environment: Environment, template: str, error: Exception) -> Position:
    """Return the innermost template line in the traceback, else the beginning of the template."""
    if isinstance(error, TemplateSyntaxError):
        return Position(error.filename or error.name or template, error.lineno, 1)
    # Jinja gives compiled code the file names and lines of the templates.
    templates = {template.filename for template in (environment.cache or {}).values()}
    lines = [Position(file, line, 1) for file, line in _calls(error) if file in templates]
    return lines[-1] if lines else Position(_file(environment, template), 1, 1)


def _calls(error: Exception) -> Iterator[tuple[str, int]]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


def _file(environment: Environment, template: str) -> str:
    names = [template, template.removesuffix(".jinja")]  # the latter is a plain module
    paths = [
        os.path.normpath(os.path.join(folder, name)) for folder in _folders(environment) for name in names
    ]
    return next((path for path in paths if os.path.isfile(path)), template)


def _folders(environment: Environment) -> list[str]:
    loader = environment.loader
    loaders = loader.loaders if isinstance(loader, ChoiceLoader) else [loader]
    return [path for source in loaders if isinstance(source, FileSystemLoader) for path in source.searchpath]
