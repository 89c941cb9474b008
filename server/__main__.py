"""`memstrata`: the program a client starts, and the commands beside it.

Imports at the top are light on purpose: standard output is moved out of the way of every library
before the first of them is imported, since some print on import, and from C too.
"""

import gc
import os
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from memory_core import Settings

WRONG_USAGE = 2
FAILED = 1
SWITCH_INTERVAL_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Wire:
    """The descriptors of the client's pipes, which nothing else in the process can reach."""

    incoming: int
    outgoing: int


def main(argv: list[str] | None = None) -> int:
    """Serve the memory on stdin and stdout until the client goes, or do what a command says.

    Returns:
        The exit code of what does not serve: 0 for --help and --version, 1 for a command that
        failed, 2 for a wrong command line. Serving itself leaves the process.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        # Nothing is open yet. `serve` takes both over with a clean way out.
        signal.signal(number, lambda *_: os._exit(0))
    try:
        wire = claim_stdio()
    except OSError as error:
        sys.stderr.write(f"memstrata: standard input and output must be open: {error.strerror}.\n")
        return WRONG_USAGE
    # A thread that computes holds replies back for this long at a time; the default is 5 ms.
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    # The imports make a million objects that stay: looking for garbage among them costs a fifth
    # of the start.
    gc.disable()
    return run(sys.argv[1:] if argv is None else argv, wire)


def claim_stdio() -> Wire:
    """Keep the pipes for the protocol; whatever else reads gets nothing, prints go to stderr.

    Raises:
        OSError: one of the two is closed.
    """
    wire = Wire(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (wire.incoming, wire.outgoing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    if sys.stdout is not None:
        # What a library prints must not wait in a buffer for the end of the process.
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    return wire


def run(argv: list[str], wire: Wire) -> int:
    """Read the arguments and do what they ask for."""
    from memory_core import ConfigError, Settings, __version__
    from server.arguments import SERVE, help_text, parse_arguments

    try:
        arguments = parse_arguments(argv)
        if arguments.help or arguments.version:
            text = help_text() if arguments.help else f"memstrata {__version__}\n"
            os.write(wire.outgoing, text.encode())
            return 0
        settings = Settings.load(arguments.settings, file=arguments.config)
    except ConfigError as error:
        sys.stderr.write(f"memstrata: {error}\n")
        return WRONG_USAGE
    if arguments.verb != SERVE:
        from server.commands import run_command

        return run_command(arguments, settings, wire.outgoing)
    serve_and_leave(settings, wire)


def serve_and_leave(settings: "Settings", wire: Wire) -> NoReturn:
    """Serve, then end the process, whatever threads of libraries are still running."""
    import logging

    from server.logs import configure_logging

    configure_logging(settings)

    import anyio

    from server.serve import serve

    gc.freeze()
    gc.enable()

    async def session() -> None:
        try:
            await serve(settings, wire.incoming, wire.outgoing)
        except BaseException:
            logging.getLogger(__name__).critical("The server failed.", exc_info=True)
            leave(FAILED)
        # Leave from here: the way out of the event loop waits for every worker thread.
        leave(0)

    anyio.run(session)
    leave(0)


def leave(code: int) -> NoReturn:
    """End the process now; non-daemon threads would hold a normal exit."""
    import logging

    logging.shutdown()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
