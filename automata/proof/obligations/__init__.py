"""What has to be proved, each as formulas for the solvers."""
