"""The vote in Chromium: one instructor and three voters, on phones and a wall."""

import contextlib
import sys

import lab
import pytest
from test_browser_axe import harm
from test_browser_site_pages import LAPTOP, PHONE, does_not_scroll_sideways
from voting import Browser, vote, whole_round

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("vote"),
]


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


def test_the_instructor_goes_on_after_a_crash(pages, tmp_path):
    """By the open page itself; in another browser by the address that was printed first."""
    teacher, other, *_ = pages
    file = tmp_path / "votes.sqlite"
    with vote(file) as started:
        teacher.goto(f"{started.address}/teach#{started.secret}")
        teacher.get_by_role("button", name="Open the vote").click()
        teacher.get_by_text("The vote is open: 0 so far.").wait_for()
        started.process.kill()
        teacher.get_by_text("No connection. This page tries again by itself.").wait_for()
    with vote(file, started.port) as again:
        assert again.secret == started.secret
        assert lab.wait(teacher, "() => document.getElementById('trouble').hidden")
        Browser(again).vote("A")
        teacher.get_by_text("The vote is open: 1 so far.").wait_for()
        other.goto(f"{again.address}/teach#{started.secret}")
        other.get_by_text("The vote is open: 1 so far.").wait_for()


def test_who_is_not_known_gets_the_form_and_the_secret_never_stays(pages, tmp_path):
    """Another vote has another secret: the cookie of the first is worth nothing there."""
    teacher, *_ = pages
    with vote(tmp_path / "morning.sqlite") as started:
        teacher.goto(f"{started.address}/teach#{started.secret}")
        teacher.get_by_role("button", name="Open the vote").wait_for()
        started.process.kill()
    with vote(tmp_path / "evening.sqlite", started.port) as again:
        form = teacher.get_by_label("The secret that the start printed")
        form.wait_for()
        assert not teacher.get_by_role("button", name="Open the vote").is_visible()
        paste = "(secret) => { location.hash = secret; }"  # as a paste into the address does
        teacher.evaluate(paste, started.secret)
        teacher.get_by_text("Not opened: That is not the secret").wait_for()
        teacher.evaluate(paste, again.secret)
        teacher.get_by_role("button", name="Open the vote").wait_for()
        assert not form.is_visible()
        assert teacher.evaluate("() => location.href") == f"{again.address}/teach"
        assert teacher.evaluate("() => document.getElementById('trouble').hidden")


def test_a_file_that_keeps_nothing_is_shown_to_the_instructor_alone(pages, tmp_path):
    teacher, voter, *_ = pages
    file = tmp_path / "votes.sqlite"
    with vote(file) as started:
        voter.goto(started.address)
        teacher.goto(f"{started.address}/teach#{started.secret}")
        teacher.get_by_role("button", name="Open the vote").click()
        moved = file.rename(tmp_path / "elsewhere.sqlite")
        voter.locator("input[value=B]:enabled").click()  # what is not kept is not chosen
        voter.get_by_text("Not counted: the instructor's screen says why").wait_for()
        assert not voter.locator("input[value=B]").is_checked()
        assert file.name not in voter.evaluate("() => document.body.innerText")
        gone = f"No vote is counted now. {file}: it was deleted, moved or replaced"
        teacher.get_by_text(gone).wait_for()
        moved.rename(file)
        voter.locator("input[value=C]").check()
        voter.get_by_text("Your vote is C.").wait_for()
        assert lab.wait(teacher, "() => document.getElementById('trouble').hidden")
