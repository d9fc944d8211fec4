"""Cases written as text: what is given at the margin, and indented below it, line by line, what comes of it."""

from __future__ import annotations

from textwrap import dedent


def written_cases(text: str) -> list[tuple[str, list[str]]]:
    r"""Return what is given and the lines that come of it. A line indented twice goes on; ``\n`` is a line break."""
    cases: list[tuple[str, list[str]]] = []
    for line in dedent(text).strip("\n").splitlines():
        words, indent = line.strip(), len(line) - len(line.lstrip())
        if not indent:
            cases.append((words.replace(r"\n", "\n"), []))
        elif indent == 4:
            cases[-1][1].append(words)
        else:
            cases[-1][1][-1] += f" {words}"
    return cases
