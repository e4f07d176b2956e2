"""The page for a room and its server, without a browser."""

import http.client
import re
import socket
import struct
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from course.content import COURSE
from course.explorers import EXPLORERS
from coursekit.site import room
from coursekit.site.serve import Handler, SiteHandler, main, server

ROOT = Path(__file__).parents[2]


@pytest.fixture(name="page")
def _page():
    live = {name: {"of": name} for name in COURSE.explorers if not room.call_of(COURSE, name)}
    live = {name: data | {"question": f"{name}?"} for name, data in live.items()}
    live["drag-list"] = {"widget": "Listed", "traits": {"declared": {"question": "drag-list?"}}}
    cells = {
        room.call_of(COURSE, name): (f"page-{name}", {"of": name, "question": f"{name}?"})
        for name in COURSE.explorers
    }
    return room.room_page(COURSE, live, cells, lambda file, data: f"{file}.{data.get('of', '')}")


def test_each_explorer_has_a_link_a_heading_and_its_data(page):
    found = re.findall(r'<li><a href="#([\w-]+)"><b>(.+)</b> <span>(.+)</span></a></li>', page)
    links = [(name, title) for name, title, _question in found]
    assert [name for name, _title in links] == [*EXPLORERS, "constant-model"]
    assert [question for *_, question in found] == [f"{name}?" for name, _title in links]
    places = re.findall(r'<h2>(.+)</h2>\n<div .* id="([\w-]+)" .* data-file="(.+)"', page)
    assert [(name, title) for title, name, _file in places] == links
    files = {name: file for _title, name, file in places}
    assert files["slide-k"] == "page-slide-k.slide-k"  # the notebook's page has it
    assert files["tie-shuffler"] == "room-tie-shuffler.tie-shuffler"
    assert page.count('data-kind="part"') == 1


def test_what_a_notebook_has_is_not_computed_again(monkeypatch):
    monkeypatch.setattr(room, "data_of", lambda explorer, _ports: explorer.name)
    calls = ["slide_k()", "where_is_the_floor()", "tie_shuffler()"]
    left = set(COURSE.explorers) - {"slide-k", "where-is-the-floor"}
    assert set(room.room_live(COURSE, calls)) == left


# --- the server -----------------------------------------------------------------------


@contextmanager
def served(folder, **options):
    """Serve a folder in this process; yield the port."""
    with server(folder, **options) as serving:
        threading.Thread(target=serving.serve_forever, args=[0.01], daemon=True).start()
        yield serving.server_address[1]
        serving.shutdown()


@pytest.fixture(name="folder")
def _folder(tmp_path):
    for name in ("room.html", "index.html", "host.js", "with/index.html", "without/page.html"):
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"this is {name}", encoding="utf-8")
    (tmp_path / "secret.html").write_text("not of the site", encoding="utf-8")
    return tmp_path / "site"


@pytest.fixture(name="port")
def _port(folder):
    with served(folder) as port:
        yield port


def say(port, sent, host="127.0.0.1"):
    """Send bytes; return status, headers and body of the answer."""
    with socket.create_connection((host, port), timeout=30) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.headers, answer.read()


def get(port, path, **more):
    return say(port, b"GET " + path.encode("latin-1") + b" HTTP/1.1\r\n\r\n", **more)


def test_the_bare_address_is_the_room_or_the_front_page(folder, port):
    for path in ("/", "/?from=a-link", "//"):
        status, headers, _body = get(port, path)
        assert (status, headers["Location"]) == (302, "room.html")
    assert say(port, b"HEAD / HTTP/1.1\r\n\r\n")[0] == 302
    assert get(port, "/room.html")[::2] == (200, b"this is room.html")
    with served(folder, handler=SiteHandler) as site:
        assert get(site, "/")[1]["Location"] == "index.html"


def test_modules_are_modules_and_what_is_found_is_kept(folder, port):
    status, headers, _body = get(port, "/host.js")
    assert (status, headers["Content-Type"]) == (200, "text/javascript")
    assert headers["Cache-Control"] == "max-age=7200"
    again = f"GET /host.js HTTP/1.1\r\nIf-Modified-Since: {headers['Last-Modified']}\r\n\r\n"
    status, headers, _body = say(port, again.encode())
    assert (status, headers["Cache-Control"]) == (304, "max-age=7200")
    with served(folder, handler=SiteHandler) as site:  # an author sees what was built last
        assert get(site, "/host.js")[1]["Cache-Control"] == "max-age=0"


def test_a_folder_is_its_own_page_and_never_a_list(port):
    assert get(port, "/with/")[::2] == (200, b"this is with/index.html")
    status, _headers, body = get(port, "/without/")
    assert (status, b"page.html" in body) == (404, False)
    assert get(port, "/without/page.html")[0] == 200


ODD = {
    "/nothing.html": 404,
    "/%00": 404,
    "/%ED%B2%80": 404,  # half of a pair
    "/\xff\xfe": 404,
    "/host.js/": 404,
    "/../secret.html": 404,
    "/%2e%2e/secret.html": 404,
    "/..%2fsecret.html": 404,
    "/..%5csecret.html": 404,
    "//elsewhere.example/room.html": 404,
    "http://[elsewhere/": 404,
    "*": 404,
    "/" + "a" * 10_000: 404,
    "/" + "a" * 100_000: 414,
    "/room.html now": 400,
}


@pytest.mark.parametrize("path", ODD, ids=lambda path: path[:30])
def test_an_odd_path_has_a_plain_answer(port, path, capfd):
    status, headers, body = get(port, path)
    assert status == ODD[path]
    assert headers["Cache-Control"] == "no-store"
    assert b"not of the site" not in body
    assert get(port, "/room.html")[0] == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),  # https
        (b"GET / HTTP/x\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n\r\n", 505),
        (b"POST / HTTP/1.1\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
    ],
)
def test_what_is_no_request_has_a_plain_answer(port, sent, status, capfd):
    assert say(port, sent)[0] == status
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("path", ["/", "/host.js", "/nothing.html", "/with"])
def test_every_answer_says_how_to_take_it(port, path):
    headers = get(port, path)[1]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_a_browser_that_goes_away_says_nothing(folder, capfd):
    (folder / "large.js").write_bytes(bytes(50_000_000))
    with served(folder) as port:
        before = threading.active_count()
        for sent in (b"", b"GET ", b"GET /large.js HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(sent)
                if sent.endswith(b"\n"):
                    connection.recv(1000)  # it has begun
                now = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
        wait_until(lambda: threading.active_count() <= before)
    assert capfd.readouterr() == ("", "")


def wait_until(done):
    """Give the server's threads time to end."""
    for _ in range(3000):
        if done():
            return
        time.sleep(0.02)
    pytest.fail("a thread of the server never ends")


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 on this machine")
def test_ipv6(folder):
    with served(folder, bind="::1") as port:
        assert get(port, "/room.html", host="::1")[0] == 200


# --- the command ----------------------------------------------------------------------


def test_a_port_that_is_taken_is_one_line(folder, port):
    with pytest.raises(SystemExit) as end:
        main([str(folder), "--port", str(port)])
    assert end.value.code.startswith(f"Port {port} is taken by another program: ")


@pytest.mark.parametrize(("options", "first"), [([], "room.html"), (["--site"], "index.html")])
def test_without_a_site_there_is_nothing_to_serve(tmp_path, options, first):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(SystemExit) as end:
            main([str(folder), *options])
        assert end.value.code.startswith(f"There is no {first} in {folder}: build the site first")


def test_it_serves_where_it_is_told_to(monkeypatch, capsys, folder):
    asked = []

    def refuse(*given):
        asked.append(given)
        raise OSError(99, "enough")

    monkeypatch.setattr("coursekit.site.serve.server", refuse)
    for options in ([], ["--bind", "0.0.0.0", "--port", "9000"], ["--site"]):
        with pytest.raises(SystemExit):
            main([str(folder), *options])
    assert asked == [
        (folder, "127.0.0.1", 8866, Handler),
        (folder, "0.0.0.0", 9000, Handler),
        (folder, "127.0.0.1", 8866, SiteHandler),
    ]
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").split("\npresent:")[1].split("\n\n")[0]
    assert "--bind" not in rule
    assert rule.endswith("$(COURSE) present $(PRESENT)")
