"""The exercises of a course: each is one text, in the folder of its notebook."""

import functools

from coursekit.text import read_text


class Catalog:
    """The exercises in a folder, which holds a folder for each notebook.

    ``read(path, given)`` returns the exercise of a text; `given` is code that the notebook has
    run before, the block of code in ``0-page.md``. ``lines.md`` has a line for each notebook, for
    those who have solved all its exercises.
    """

    def __init__(self, folder, read):
        self.folder, self.read = folder, read

    @functools.cached_property
    def by_notebook(self):
        """The exercises of each notebook in their order, by the notebook's name."""
        folders = sorted(path for path in self.folder.iterdir() if path.is_dir())
        return {folder.name: self._of_folder(folder) for folder in folders}

    @functools.cached_property
    def all(self):
        """All exercises, by name."""
        return {ex.name: ex for exercises in self.by_notebook.values() for ex in exercises}

    @functools.cached_property
    def lines(self):
        """One line to keep from each notebook, by the notebook's name."""
        _about, *parts = read_text(self.folder / "lines.md").sections("##")
        return {part.name: part.text for part in parts}

    def notebook_of(self, name):
        """Return the name of the notebook that has an exercise."""
        return next(n for n, own in self.by_notebook.items() if self.all[name] in own)

    def _of_folder(self, folder):
        page = folder / "0-page.md"
        given = read_text(page).code() if page.exists() else ""
        return [self.read(path, given) for path in sorted(folder.glob("[1-9]*.md"))]
