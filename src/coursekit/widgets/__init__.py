"""What the pages of the course are made of; each widget is one Python and one JavaScript file."""
