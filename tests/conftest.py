"""What the tests in a browser share."""

import lab
import pytest


@pytest.fixture(name="page")
def _page():
    with lab.page_of() as page:
        yield page
