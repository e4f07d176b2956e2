"""What the tests in a browser share."""

import lab
import pytest


@pytest.fixture(name="page")
def _page(request):
    """Return a page; ``parametrize("page", lab.FONTS, indirect=True)`` chooses its fonts."""
    with lab.page_of(fonts=getattr(request, "param", "wide")) as page:
        yield page
