"""The ledgers of a lake: no octet of a file or a stream is unaccounted for."""

from __future__ import annotations

from collections import Counter

from amqp_traffic.capture.quarantine import Reason

from .lake_tables import Ingested

REASONS = {reason.value for reason in Reason}


def check_ledgers(found: Ingested) -> None:
    """All that must add up, in every lake."""
    for row in found["captures"]:
        assert row["size"] == row["bytes_headers"] + row["bytes_records"] + row["bytes_skipped"], row
        if row["tcp"] is not None:
            assert row["packets"] == row["tcp"] + sum(count for _, count in row["ignored"]), row
    frames = Counter((row["conn_id"], row["dir"]) for row in found["frames"])
    bad = Counter((row["conn_id"], row["dir"]) for row in found["frames"] if row["status"] != "ok")
    for row in found["connections"]:
        for direction, side in enumerate(("client", "server")):
            wire, *parts = (
                row[f"{side}_bytes_{name}"]
                for name in ("wire", "framed", "gap", "skipped", "tail", "wrapped")
            )
            assert wire == sum(parts), row
            key = row["conn_id"], direction
            assert row[f"{side}_frames"] == frames[key], row
            assert row[f"{side}_bad_frames"] == bad[key], row
    known = {row["conn_id"] for row in found["connections"]}
    assert len(known) == len(found["connections"])
    for table in ("frames", "methods", "performatives", "messages", "exchanges"):
        wire = [row for row in found[table] if row.get("source", "wire") == "wire"]
        assert {row["conn_id"] for row in wire} <= known, table
    for row in found["quarantine"]:
        assert row["reason"] in REASONS
        assert row["length"] >= 0
        assert len(row["sample"] or b"") <= 256
