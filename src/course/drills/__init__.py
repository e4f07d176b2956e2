"""Drills: problems that draw their numbers, so that practice does not run out."""

import functools
from pathlib import Path

from course.drills.texts import read_drill

CONTENT = Path(__file__).parent / "content"


@functools.cache
def drills():
    """Return the drills by name; their texts are read when somebody asks for the first."""
    return {path.stem: read_drill(path) for path in sorted(CONTENT.glob("*/*.md"))}
