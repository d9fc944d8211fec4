"""The live runner: checks a broker against the rules of a specification, one driver for each rule."""
