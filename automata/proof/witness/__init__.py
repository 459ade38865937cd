"""From a model to a finding: replayed on the machine, or potential."""
