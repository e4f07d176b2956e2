"""Where a server of the course listens: its options, its address, and why it cannot."""

import argparse
import errno
import socket

THIS_MACHINE = "127.0.0.1"
ALL = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
LAST_PORT = 65535
FIRST_FREE = 1024  # those below are for administrators


def add_address(parser, port):
    """Give a parser of the command line the options ``--bind`` and ``--port``."""
    help_on_bind = "0.0.0.0: the whole network"
    parser.add_argument("--bind", type=_bind, default=THIS_MACHINE, help=help_on_bind)
    parser.add_argument("--port", type=_port, default=port)


def _bind(text):
    host = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        family_of(host)
    except (OSError, UnicodeError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an address: leave it out for this machine only, or give 0.0.0.0 for "
            "the whole network, or one address or name of this machine"
        ) from None
    return host


def _port(text):
    if text.isdecimal() and len(text) <= len(str(LAST_PORT)) and 1 <= int(text) <= LAST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a port: give a number from 1 to {LAST_PORT}"
    )


def family_of(host):
    """Return ``socket.AF_INET`` or ``AF_INET6`` for an address or a name; OSError for others."""
    return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]


def address_of(bind, port):
    """Return what to type into a browser, for a server on one address of this machine, or all."""
    host = _own_address(*ALL[bind]) if bind in ALL else bind
    host = "localhost" if host == THIS_MACHINE else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address(family, elsewhere):
    """Return this machine's address in its network; its name, if it is in none."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))  # an address for examples; nothing is sent
            return probe.getsockname()[0]
    except OSError:
        return socket.gethostname()


def why_not(error, bind, port):
    """Return one line on the OSError of a server that cannot listen, and what to do."""
    other = port + (1 if port < LAST_PORT else -1)
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program: end it, or take another port with the "
            f"option --port {other}"
        )
    if error.errno == errno.EACCES:
        other = port + 8000 if port < FIRST_FREE else other
        return (
            f"You may not listen on port {port} (those below {FIRST_FREE} are for "
            f"administrators): take another one with the option --port {other}"
        )
    if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
        return (
            f"{bind} is not an address of this machine: leave --bind out for this machine only, "
            "or give --bind 0.0.0.0 for the whole network"
        )
    return f"Cannot listen on {bind}, port {port}: {error.strerror or error}"
