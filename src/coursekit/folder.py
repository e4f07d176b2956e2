"""Where the course lies."""

from pathlib import Path


def course_folder():
    """Return the folder that holds `notebooks/` beside `helpers/`, or else the current one.

    In a checkout that is the checkout; an installed package works on the folder one is in.
    """
    checkout = Path(__file__).resolve().parents[2]
    return checkout if (checkout / "notebooks").is_dir() else Path.cwd()
