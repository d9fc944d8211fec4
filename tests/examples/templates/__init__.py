"""What `examples/templates/` has, in the hands of those who are to use it: a C compiler, Kaitai's compiler."""
