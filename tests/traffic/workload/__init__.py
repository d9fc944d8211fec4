"""The workload of ``tests/clients/workload.py``, captured: what the clients counted is in the tables, and no error is reported."""
