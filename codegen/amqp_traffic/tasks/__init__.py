"""One runner of tasks: in this process, in processes of this machine, on Spark."""
