"""The run itself: what is asked for, the plan, the trials, the verdicts. It knows of no protocol."""
