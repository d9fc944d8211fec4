"""Audits the tables of captures: who violates what, and what stands in the way of a migration.

``catalogue`` has the rules; ``trail`` is what is read of a connection, frame by frame; ``auditor0`` and ``auditor1`` go over
it, ``fleet`` over all connections in SQL; what comes out are ``finding.Finding``. What is certain is a matter of
``continuity`` (nothing is missing), ``turns`` and ``packet_order`` (packets may have changed places).
"""
