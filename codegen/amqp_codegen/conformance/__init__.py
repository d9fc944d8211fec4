"""The live runner: checks a broker against the rules of a specification, one driver for each rule.

It talks to the broker over raw sockets through the generated packages, as any user of them would.
"""
