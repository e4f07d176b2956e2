"""What is done with this course: ``python -m course write|site|vote|sheet``, with options."""

import argparse
import sys

from course.content import COURSE


def write(options):
    """Execute notebooks, and write them in their canonical form."""
    from coursekit.authoring.write import main  # each needs packages that others do without

    return main(COURSE, options)


def site(options):
    """Build the web site in a folder."""
    from coursekit.site.build import main

    return main(COURSE, options)


def vote(options):
    """Let a room vote on the bets of a notebook."""
    from coursekit.vote.command import main

    return main(COURSE, options)


def sheet(options):
    """Write problem sheets for a class, with a key."""
    from course.drills.sheet import main

    return main(options)


COMMANDS = {command.__name__: command for command in (write, site, vote, sheet)}


def main(arguments=None):
    """Run one command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m course", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("options", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    return COMMANDS[given.command](given.options)


if __name__ == "__main__":
    sys.exit(main())
