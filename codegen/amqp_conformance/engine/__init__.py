"""The run itself: request, plan, trials, verdicts. It is independent of the protocol."""
