"""The tie shuffler of notebook *ties*: break the ties of one list, once or often."""
