"""The report for machines."""

from __future__ import annotations

import json
from typing import Any

from .transcript import Exchange
from .verdict import Result, Run, Verdict


def json_report(run: Run) -> str:
    """The report as a JSON document: ``{"target", "spec", "rules": [{"path", "level", "verdict", ...}], ...}``."""
    document = {
        "target": run.target,
        "spec": run.spec,
        "broker": {"product": run.broker.product, "version": run.broker.version},
        "expectations": run.expectations,
        "seconds": round(run.seconds, 3),
        "counts": {verdict.value: run.count(verdict) for verdict in Verdict},
        "unexpected": len(run.surprises),
        "remarks": list(run.remarks),
        "rules": [_rule(result) for result in run.results],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _rule(result: Result) -> dict[str, Any]:
    rule = result.rule
    return {
        "path": rule.path,
        "level": rule.levels[0] if rule.levels else "",
        "levels": list(rule.levels),
        "actor": rule.actor,
        "text": rule.text,
        "scenario": rule.scenario,
        "on_failure": rule.on_failure,
        "verdict": result.verdict.value,
        "detail": result.detail,
        "unexpected": result.surprise,
        "procedure": result.procedure,
        "seconds": round(result.seconds, 3),
        "evidence": [_exchange(exchange) for exchange in result.evidence],
    }


def _exchange(exchange: Exchange) -> dict[str, Any]:
    return {
        "direction": exchange.direction,
        "seconds": round(exchange.seconds, 4),
        "connection": exchange.connection,
        "channel": exchange.channel,
        "name": exchange.name,
        "text": exchange.text,
        "hex": exchange.octets.hex(),
        "size": exchange.size,
    }
