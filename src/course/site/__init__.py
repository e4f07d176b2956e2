"""What the site of this course says and shows in its own way."""
