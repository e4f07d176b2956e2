"""Drills: problems that draw their numbers, so that practice does not run out."""

from pathlib import Path

from course.drills.texts import read_drill

CONTENT = Path(__file__).parent / "content"
DRILLS = {path.stem: read_drill(path) for path in sorted(CONTENT.glob("*/*.md"))}
