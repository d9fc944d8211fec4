"""The runner of tasks, and its memory."""
