"""The specifications, written once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import pytest
from amqp_codegen.resolve.specification import Specification, read_specification

from tests.shared_folders import Shared

from .specifications import FAMILIES, write_nasty, write_tame


@dataclass(frozen=True)
class Corpus:
    """The specifications of a family, as files.

    Attributes:
        family: ``amqp0`` or ``amqp1``.
        nasty: Full of texts that could do harm.
        tame: The same with other texts.
        other: The same with texts that are not those of the tame one either.
    """

    family: str
    nasty: list[Path]
    tame: list[Path]
    other: list[Path]

    def named(self, which: str) -> Path:
        """What a command is called with: the file, or the folder of 1.0."""
        files: list[Path] = getattr(self, which)
        return files[0] if len(files) == 1 else files[0].parent


class Read:
    """What the files of a corpus mean."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    @cached_property
    def nasty(self) -> Specification:
        return read_specification(self.corpus.nasty)

    @cached_property
    def tame(self) -> Specification:
        return read_specification(self.corpus.tame)


@pytest.fixture(scope="session", params=FAMILIES)
def corpus(request: pytest.FixtureRequest, shared: Shared) -> Corpus:
    family: str = request.param
    writers: dict[str, Callable[[str, Path], None]] = {
        "nasty": write_nasty,
        "tame": write_tame,
        "other": partial(write_tame, word="word"),
    }
    return Corpus(
        family,
        **{
            name: sorted(shared(f"{family}-{name}", partial(write, family)).iterdir())
            for name, write in writers.items()
        },
    )


@pytest.fixture(scope="session")
def read(corpus: Corpus) -> Read:
    return Read(corpus)
