"""The page for a room and its server, without a browser."""

import re
import threading
import urllib.request
from pathlib import Path

import pytest

from helpers.course.explorers import EXPLORERS
from helpers.course.site import room
from helpers.course.site.serve import address_of, main, server

ROOT = Path(__file__).parent.parent


@pytest.fixture(name="page")
def _page():
    live = {name: {"of": name} for name in room.ROOM if not room.call_of(name)}
    live["drag-list"] = {"widget": "DragList"}
    cells = {room.call_of(name): (f"page-{name}", {"of": name}) for name in room.ROOM}
    return room.room_page(live, cells, lambda file, data: f"{file}.{data.get('of', '')}")


def test_each_explorer_has_a_link_a_heading_and_its_data(page):
    links = re.findall(r'<li><a href="#([\w-]+)">(.+)</a></li>', page)
    assert [name for name, _title in links] == [*EXPLORERS, "constant-model"]
    places = re.findall(r'<h2>(.+)</h2>\n<div .* id="([\w-]+)" .* data-file="(.+)"', page)
    assert [(name, title) for title, name, _file in places] == links
    files = {name: file for _title, name, file in places}
    assert files["slide-k"] == "page-slide-k.slide-k"  # the notebook's page has it
    assert files["tie-shuffler"] == "room-tie-shuffler.tie-shuffler"
    assert page.count('data-kind="part"') == 1


def test_what_a_notebook_has_is_not_computed_again(monkeypatch):
    monkeypatch.setattr(room, "data_of", lambda explorer: explorer.name)
    calls = ["slide_k()", "where_is_the_floor()", "tie_shuffler()"]
    left = set(room.ROOM) - {"slide-k", "where-is-the-floor"}
    assert set(room.room_live(calls)) == left


@pytest.fixture(name="address")
def _address(tmp_path):
    (tmp_path / "room.html").write_text("the room", encoding="utf-8")
    (tmp_path / "host.js").write_text("export {};", encoding="utf-8")
    with server(tmp_path) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_address[1]}"
        serving.shutdown()


def test_the_bare_address_is_the_room(address):
    with urllib.request.urlopen(address) as answer:
        assert answer.url == f"{address}/room.html"
        assert answer.read() == b"the room"


def test_modules_are_modules_and_are_kept(address):
    with urllib.request.urlopen(f"{address}/host.js") as answer:
        assert answer.headers["Content-Type"] == "text/javascript"
        assert answer.headers["Cache-Control"] == "max-age=7200"


def test_an_address_that_can_be_typed():
    assert address_of("127.0.0.1", 8866) == "http://localhost:8866"
    assert address_of("192.0.2.7", 80) == "http://192.0.2.7:80"
    assert re.fullmatch(r"http://[\w.-]+:8866", address_of("0.0.0.0", 8866))
    assert "0.0.0.0" not in address_of("0.0.0.0", 8866)


def test_it_stays_on_this_machine_unless_told_otherwise(monkeypatch, capsys, tmp_path):
    asked = []

    def refuse(*given):
        asked.append(given)
        raise ConnectionRefusedError

    monkeypatch.setattr("helpers.course.site.serve.server", refuse)
    for options in ([], ["--bind", "0.0.0.0", "--port", "9000"]):
        with pytest.raises(ConnectionRefusedError):
            main([str(tmp_path), *options])
    assert asked == [(tmp_path, "127.0.0.1", 8866), (tmp_path, "0.0.0.0", 9000)]
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").split("\npresent:")[1].split("\n\n")[0]
    assert "--bind" not in rule
    assert rule.endswith("$(COURSE) present $(PRESENT)")
