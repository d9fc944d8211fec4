"""Audits the tables of captures: who violates what, and what stands in the way of a migration.

Rules stand beside their checks in ``amqp0/``, ``amqp1/`` and ``fleet/``; ``rules/rule.py`` says how one is declared,
``rules/catalogue.py`` gathers them. ``trail`` is what is read of a connection, frame by frame; auditors go over it,
``fleet`` over all connections in SQL; what comes out are ``finding.Finding``. What is certain is a matter of
``frame_order``: nothing is missing, or packets may have changed places.
"""
