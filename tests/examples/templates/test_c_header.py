"""The C header example: a C compiler takes it without a warning, and its numbers are those of the packages."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import amqp_1_0
import pytest
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification

from tests.commands import run_command
from tests.generated.amqp0.packages import PACKAGES, methods_of
from tests.patience import PATIENCE

from .made_files import made

SPECS = {
    "amqp_0_8": "0-8",
    "amqp_0_8_rabbitmq": "0-8-rabbitmq",
    "amqp_0_9": "0-9",
    "amqp_0_9_1": "0-9-1",
    "amqp_0_9_1_rabbitmq": "0-9-1-rabbitmq",
    "amqp_1_0": "1.0",
}
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
HELPERS = r"""
#include <stdio.h>
static void number(const char *name, long long value) { printf("%s %lld\n", name, value); }
static void octets(const char *name, const char *text, size_t size) {
  size_t index;
  printf("%s x", name);
  for (index = 0; index + 1 < size; index++) printf("%02x", (unsigned char)text[index]);
  printf("\n");
}
"""


def built(folder: Path, source: str) -> Path:
    """The program that a C compiler makes of a source; skips without one."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (folder / "main.c").write_text(source, encoding="utf-8")
    program = folder / "main"
    done = run_command([compiler, *STRICT, "-o", str(program), "main.c"], cwd=folder)
    assert done.returncode == 0, done.stderr
    return program


def values(folder: Path, headers: dict[str, str]) -> dict[str, Any]:
    """Every constant of some headers, as a C program prints it: numbers, and octets of strings."""
    lines = []
    for name, text in headers.items():
        (folder / name).write_text(text, encoding="utf-8")
        lines += [f'#include "{name}"', f'#include "{name}"']  # the guard lets a second one pass
    lines += [HELPERS, "int main(void) {"]
    for text in headers.values():
        for name, value in re.findall(r"^#define (\w+) (\S.*)$", text, re.MULTILINE):
            kind = (
                f'octets("{name}", {name}, sizeof {name});'
                if value[0] == '"'
                else f'number("{name}", {name});'
            )
            lines.append(f"  {kind}")
    lines += ["  return 0;", "}", ""]
    program = built(folder, "\n".join(lines))
    printed = subprocess.run(
        [str(program)], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    pairs = [line.split(" ") for line in printed.splitlines()]
    return {name: bytes.fromhex(value[1:]) if value.startswith("x") else int(value) for name, value in pairs}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The constants of all versions, from one program that includes all headers."""
    headers: dict[str, str] = {}
    for spec in SPECS.values():
        headers |= made("c-header", spec)
    assert sorted(headers) == sorted(f"{package}.h" for package in SPECS)
    return values(tmp_path_factory.mktemp("c"), headers)


@pytest.mark.parametrize("package", PACKAGES)
def test_numbers_of_0_x(printed: dict[str, Any], package: str) -> None:
    amqp = PACKAGES[package]
    prefix = package.upper()
    wanted: dict[str, Any] = {
        f"{prefix}_PROTOCOL_HEADER": amqp.PROTOCOL_HEADER,
        f"{prefix}_PORT": amqp.constants.PORT,
        f"{prefix}_FRAME_TYPE_HEARTBEAT": amqp.constants.FRAME_HEARTBEAT,
        f"{prefix}_FRAME_END": amqp.constants.FRAME_END,
    }
    wanted |= {f"{prefix}_{code.name}": code.value for code in amqp.ReplyCode}
    for hard, codes in enumerate((amqp.constants.SOFT_ERRORS, amqp.constants.HARD_ERRORS)):
        wanted |= {f"{prefix}_{amqp.ReplyCode(code).name}_IS_HARD": hard for code in codes}
    for method in methods_of(amqp):
        wanted[f"{prefix}_CLASS_{method.NAME.split('.')[0].upper()}"] = method.CLASS_ID
        name = method.NAME.replace(".", "_").replace("-", "_").upper()
        wanted[f"{prefix}_METHOD_{name}"] = method.CLASS_ID << 16 | method.METHOD_ID
    assert len(wanted) > 80
    assert {name: printed.get(name) for name in wanted} == wanted


def test_flags_of_properties(printed: dict[str, Any]) -> None:
    amqp = PACKAGES["amqp_0_9_1"]
    for field in amqp.content.BasicProperties.FIELDS:
        value: Any = {"shortstr": "", "table": {}}.get(field.type, 0)
        header = amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(**{field.name: value}), 0))
        name = f"AMQP_0_9_1_BASIC_{field.name.upper()}"
        assert (printed[f"{name}_WORD"], printed[f"{name}_FLAG"]) == (0, int.from_bytes(header[19:21], "big"))


def test_numbers_of_1_0(printed: dict[str, Any]) -> None:
    names = [name for name in dir(amqp_1_0.constants) if name.isupper()]
    numbers = {name: getattr(amqp_1_0.constants, name) for name in names}
    wanted: dict[str, Any] = {
        f"AMQP_1_0_{name}": value for name, value in numbers.items() if isinstance(value, int)
    }
    wanted["AMQP_1_0_FRAME_TYPE_SASL"] = wanted.pop("AMQP_1_0_FRAME_SASL")
    wanted["AMQP_1_0_FRAME_TYPE_AMQP"] = wanted.pop("AMQP_1_0_FRAME_AMQP")
    for layer, octets in amqp_1_0.PROTOCOL_HEADERS.items():
        wanted[f"AMQP_1_0_PROTOCOL_HEADER_{layer.upper()}"] = octets
    for module in (amqp_1_0.performatives, amqp_1_0.messaging, amqp_1_0.transactions, amqp_1_0.sasl):
        for cls in vars(module).values():
            if isinstance(cls, type) and hasattr(cls, "CODE"):
                name = cls.NAME.replace("-", "_").upper()
                wanted[f"AMQP_1_0_DESCRIPTOR_{name}"] = cls.CODE
                wanted[f"AMQP_1_0_SYMBOL_{name}"] = cls.SYMBOL.encode()
            elif isinstance(cls, type) and hasattr(cls, "__members__"):
                kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Condition")).upper()
                for member in cls:
                    value = str.__str__(member.value).encode() if isinstance(member, str) else int(member)
                    wanted[f"AMQP_1_0_{kind}_{member.name}"] = value
    inputs = resolve_input("1.0")
    for encoding in read_specification(inputs.files, inputs.overlays).spec.encodings:
        wanted[f"AMQP_1_0_CODE_{encoding.identifier}"] = encoding.code
    found = {name: printed.get(name) for name in wanted}
    assert len(wanted) > 180
    assert found == wanted


def test_a_table_of_methods(tmp_path: Path) -> None:
    """What the macro of all methods is there for."""
    for name, text in made("c-header", "0-9-1").items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    program = built(
        tmp_path,
        '#include <stdio.h>\n#include "amqp_0_9_1.h"\n'
        "struct method { unsigned long indices; const char *name; int content; };\n"
        "#define X(name, indices, text, content) {indices, text, content},\n"
        "static const struct method methods[] = { AMQP_0_9_1_METHODS(X) {0, 0, 0} };\n"
        "int main(void) { const struct method *each;\n"
        'for (each = methods; each->name; each++) printf("%lu %s %d\\n", each->indices, each->name, each->content);\n'
        "return 0; }\n",
    )
    printed = subprocess.run(
        [str(program)], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    amqp = PACKAGES["amqp_0_9_1"]
    assert printed.splitlines() == [
        f"{index} {method.NAME} {method.HAS_CONTENT:d}" for index, method in amqp.METHODS.items()
    ]
