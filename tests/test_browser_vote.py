"""The vote in Chromium: one instructor and three voters, on phones and a wall."""

import contextlib
import sys

import lab
import pytest
from test_browser_axe import harm
from test_browser_site_pages import LAPTOP, PHONE, does_not_scroll_sideways
from voting import Browser, vote, whole_round

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture(name="pages")
def _pages(desk):
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(desk.opened()) for _ in range(4)]
        for page, size in zip(pages, [LAPTOP, PHONE, PHONE, PHONE], strict=True):
            page.set_viewport_size(size)
        yield pages


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has 127.0.0.1 only, not its neighbors")
def test_a_whole_round(pages, tmp_path):
    with vote(tmp_path / "votes.sqlite") as started:
        teacher, *voters = pages
        whole_round(started, teacher, voters, press)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_and_the_width_of_each_phase(pages, tmp_path, theme):
    teacher, voter, *_ = pages
    with vote(tmp_path / "votes.sqlite") as started:
        voter.goto(started.address)
        teacher.goto(f"{started.address}/teach")
        teacher.get_by_label("The secret").fill(started.secret)
        assert harm(teacher, ["main"]) == []
        teacher.keyboard.press("Enter")
        for move in ("Open the vote", "Close the vote", "Show the answer"):
            teacher.get_by_role("button", name=move).click()
            if move == "Open the vote":
                voter.locator("input[value=B]:enabled").check()
            for page in (teacher, voter):
                page.emulate_media(color_scheme=theme)
                page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
                assert harm(page, ["main"]) == []
                does_not_scroll_sideways(page)


def test_a_phone_that_lost_its_connection_comes_back(pages, tmp_path):
    _, voter, *_ = pages
    file = tmp_path / "votes.sqlite"
    with vote(file) as started:
        voter.goto(started.address)
        Browser(started, started.secret).move("Open the vote")
        voter.locator("input[value=B]:enabled").check()
        voter.get_by_text("Your vote is B.").wait_for()
        started.process.kill()
        voter.get_by_text("No connection. This page tries again by itself.").wait_for()
        voter.locator("input[value=C]").check()
        voter.get_by_text("Not counted: no connection.").wait_for()
        assert voter.locator("input[value=B]").is_checked()
    with vote(file, started.port) as started:
        assert lab.wait(voter, "() => document.getElementById('trouble').hidden")
        voter.locator("input[value=C]:enabled").check()
        voter.get_by_text("Your vote is C.").wait_for()
        assert Browser(started, started.secret).now("/teach/events")["votes"] == 1
