from importlib.util import find_spec

if find_spec("amqp_1_0") is None:  # not generated
    collect_ignore_glob = ["test_*.py"]
