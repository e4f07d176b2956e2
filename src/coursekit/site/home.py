"""Where a copy of the course is published; nothing links there unless one variable says so."""

import os
import re
from typing import NamedTuple

VARIABLE = "COURSE_REPOSITORY"
NAMED = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/[A-Za-z0-9._-]+")


class Home(NamedTuple):
    """A repository on GitHub, and the addresses that follow from it."""

    owner: str
    name: str

    @property
    def clone(self):
        """The address to clone from."""
        return f"https://github.com/{self.owner}/{self.name}"

    @property
    def site(self):
        """The address of its pages, where GitHub puts them."""
        host = f"{self.owner.lower()}.github.io"
        return f"https://{host}/" if self.name.lower() == host else f"https://{host}/{self.name}/"

    def binder(self, file):
        """Return the address where Binder runs a notebook."""
        start = f"https://mybinder.org/v2/gh/{self.owner}/{self.name}"
        return f"{start}/HEAD?urlpath=lab/tree/notebooks/{file}"


def published():
    """Return the `Home` that ``COURSE_REPOSITORY`` names, or None where it is not set.

    Raises a ValueError unless it is of the form ``owner/name``.
    """
    given = os.environ.get(VARIABLE, "")
    if not given:
        return None
    if not NAMED.fullmatch(given):
        raise ValueError(
            f"{VARIABLE} must be the owner and the name of a repository on GitHub, such as "
            f"ada/ndcg-course, got {given!r}"
        )
    return Home(*given.split("/"))
