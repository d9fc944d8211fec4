"""Specification files to the raw model: safe XML with positions, a schema for each family, overlays; ``load`` opens the files."""
