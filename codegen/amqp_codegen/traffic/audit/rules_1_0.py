"""The catalogue, fifth part: AMQP 1.0."""

from __future__ import annotations

from .rule import AuditRule

RULES_1_0: tuple[AuditRule, ...] = ()
