"""Where a server listens: what may be given, what is said of it, and of what cannot be."""

import argparse
import re
import socket

import pytest

from coursekit.network import add_address, address_of, family_of, why_not


def parsed(*options):
    parser = argparse.ArgumentParser()
    add_address(parser, 8866)
    return parser.parse_args(options)


def test_a_server_stays_on_this_machine_unless_told_otherwise():
    assert vars(parsed()) == {"bind": "127.0.0.1", "port": 8866}


@pytest.mark.parametrize(
    ("given", "host", "family"),
    [
        ("0.0.0.0", "0.0.0.0", socket.AF_INET),
        ("::1", "::1", socket.AF_INET6),
        ("[::1]", "::1", socket.AF_INET6),
        ("::", "::", socket.AF_INET6),
        (socket.gethostname(), socket.gethostname(), None),
    ],
)
def test_addresses_and_names_can_be_given(given, host, family):
    assert parsed("--bind", given).bind == host
    assert family in (None, family_of(host))


@pytest.mark.parametrize("bad", ["", "300.1.1.1", "::g", "[::1", "no-such.invalid", ".", "a b"])
def test_no_address(bad, capsys):
    with pytest.raises(SystemExit) as end:
        parsed("--bind", bad)
    assert end.value.code == 2
    assert f"{bad!r} is not an address: leave it out for this machine" in capsys.readouterr().err


@pytest.mark.parametrize("good", ["1", "80", "65535"])
def test_ports(good):
    assert parsed("--port", good).port == int(good)


@pytest.mark.parametrize("bad", ["0", "-1", "65536", "80000", "8866.0", "", "http", "9" * 5000])
def test_no_port(bad, capsys):
    with pytest.raises(SystemExit) as end:
        parsed(f"--port={bad}")
    assert end.value.code == 2
    assert f"{bad!r} is not a port: give a number from 1 to 65535" in capsys.readouterr().err


def test_an_address_that_can_be_typed():
    assert address_of("127.0.0.1", 8866) == "http://localhost:8866"
    assert address_of("192.0.2.7", 80) == "http://192.0.2.7:80"
    assert address_of("::1", 8866) == "http://[::1]:8866"
    assert address_of("my-laptop", 8866) == "http://my-laptop:8866"


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_all_addresses_are_this_machines_own(everywhere):
    address = address_of(everywhere, 8866)
    assert re.fullmatch(r"http://([\w.-]+|\[[\w:]+\]):8866", address)
    assert everywhere not in re.split(r"//|\[|]|:8866", address)


def refusal(bind, port):
    """Return what is said when this machine refuses to listen."""
    with socket.socket(family_of(bind)) as listening:
        try:
            listening.bind((bind, port))
        except OSError as refused:
            return why_not(refused, bind, port)
    return "nothing"


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refusal("127.0.0.1", port)
    another = re.fullmatch(rf"Port {port} is taken by another program: .* --port (\d+)", said)[1]
    assert parsed("--port", another).port != port


def test_an_address_of_another_machine():
    said = refusal("192.0.2.7", 8866)
    assert said.startswith("192.0.2.7 is not an address of this machine: ")
    assert "--bind 0.0.0.0" in said


@pytest.mark.parametrize(
    ("port", "other"), [(80, 8080), (1023, 9023), (8866, 8867), (65535, 65534)]
)
def test_a_port_that_is_not_for_everybody(port, other):
    said = why_not(PermissionError(13, "Permission denied"), "127.0.0.1", port)
    assert said.startswith(f"You may not listen on port {port} ")
    assert said.endswith(f" --port {other}")


def test_what_else_may_be_wrong_is_said_as_it_came():
    said = why_not(OSError(24, "Too many open files"), "127.0.0.1", 8866)
    assert said == "Cannot listen on 127.0.0.1, port 8866: Too many open files"
