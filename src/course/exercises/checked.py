"""What a text says under "Checked with": the Python that its answers are checked with."""

import ast
import traceback

from course.exercises import checks
from wording import nearest


class Checked:
    """What the block of Python in a section defines; it has all of `checks` at hand.

    `part` is the section, or None where a text has none: an error then names `otherwise`.
    """

    def __init__(self, part, otherwise):
        self.part = part or otherwise
        self.lines, self.values = _run(part) if part else ({}, {})

    def get(self, known, needed=()):
        """Return what is defined of the `known` names, by name; those that are needed must be.

        What a text defines for itself begins with a capital or an underscore.
        """
        for name in self.lines:
            if name not in known and name[0].islower():
                said = nearest(name, known) or f"; there are {', '.join(known)}"
                raise self.error(name, f"{name!r} is not known here{said}")
        for name in needed:
            if name not in self.lines:
                words = f"{name!r} is missing: Python under ## Checked with defines it"
                raise self.part.error(words)
        return {name: value for name, value in self.values.items() if name in known}

    def error(self, name, words):
        """Return an error that names the line on which a name is defined."""
        return self.part._replace(line=self.lines[name]).error(words)


def names_in(source):
    """Return the line of each name that some source defines."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node.lineno
        elif isinstance(node, ast.Assign):
            parts = [part for target in node.targets for part in ast.walk(target)]
            found |= {part.id: node.lineno for part in parts if isinstance(part, ast.Name)}
    return found


def _run(part):
    """Run the block of Python in a section; return the line and the value of what it defines."""
    code, path = part.code(), str(part.path)
    [block] = [block for block in part.blocks() if block.name]
    code = "\n" * (block.line - 1) + code  # so that its lines are those of the file
    scope = {name: getattr(checks, name) for name in checks.__all__}
    try:
        exec(compile(code, path, "exec"), scope)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == path]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1]
        said = f"{type(error).__name__}: {getattr(error, 'msg', error)}"
        raise part._replace(line=line).error(said) from error
    lines = names_in(code)
    return lines, {name: scope[name] for name in lines}
