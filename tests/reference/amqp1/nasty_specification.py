"""A part of AMQP 1.0 that is full of texts which have broken other generators."""

from __future__ import annotations

from pathlib import Path

from amqp_codegen.support.resources import specs_dir

from tests.emit.test_nasty_specification import in_xml

STANDARD = tuple(specs_dir() / "amqp1-0" / f"{name}.xml" for name in ("types", "transport"))


def nasty_files(folder: Path, texts: list[str], name: str = "nasty.xml") -> tuple[Path, ...]:
    """Two parts of the standard, and one with each text wherever there is prose, a symbol or a value."""
    body = "".join(_types(number, text) for number, text in enumerate(texts))
    sections = "".join(
        f'<section name="s{number}" label="{in_xml(text)}" title="{in_xml(text)}">{_said(number, text)}'
        f'<definition name="D{number}" value="{number}" label="{in_xml(text)}"><doc><p>{in_xml(text)}</p></doc></definition>'
        "</section>"
        for number, text in enumerate(texts)
    )
    path = folder / name
    path.write_text(
        f'<amqp name="nasty" label="{in_xml(texts[0])}" xmlns="http://www.amqp.org/schema/amqp.xsd">'
        f'{_said(0, texts[1])}{sections}<section name="types">{body}</section></amqp>',
        encoding="utf-8",
        newline="",
    )
    return (*STANDARD, path)


def _said(number: int, text: str) -> str:
    said = in_xml(text)
    return (
        f"<doc><p>{said}</p></doc>"
        f'<rule name="r{number}" section="1.2" label="{said}" on-failure="{said}">'
        f'<doc><p>{said}</p></doc><doc type="scenario"><p>{said}</p></doc></rule>'
    )


def _types(number: int, text: str) -> str:
    said, symbol = in_xml(text), in_xml(text if text.isascii() else f"symbol {number}")
    return (
        f'<type name="c{number}" class="composite" source="list" label="{said}">{_said(number, text)}'
        f'<descriptor name="{symbol}" code="0x0000ffff:{number:#010x}"/>'
        f'<field name="f" type="string" default="{said}" label="{said}">{_said(number, text)}</field></type>'
        f'<type name="t{number}" class="restricted" source="string" provides="error-condition" label="{said}">'
        f'<choice name="x" value="{said}" label="{said}">{_said(number, text)}</choice></type>'
    )
