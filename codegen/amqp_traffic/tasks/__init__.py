"""Runners of tasks: in this process, in processes of this machine, and on Spark."""
