"""The tie shuffler of notebook 08: break the ties of one list, once or often."""
