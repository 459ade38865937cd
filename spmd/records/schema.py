"""The name of the schema that records follow."""

SCHEMA = "spmd/1"
