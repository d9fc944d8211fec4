"""The model: what a specification says (raw) and what it means (resolved).

Everything here is a frozen dataclass that templates, passes and commands read; nothing here reads a
file or imports another part of the generator.
"""
