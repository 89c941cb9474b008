"""The commands that do not serve: status, check, probe and backup.

They make nothing where there is no memory, and load neither local models nor the protocol.
"""

import json
import os
import signal
import sys
from datetime import UTC, datetime
from functools import partial

import anyio

from memory_core import MemstrataError, Settings
from server.arguments import CHECK, PROBE, STATUS, Arguments

FAILED = 1


def run_command(arguments: Arguments, settings: Settings, out: int) -> int:
    """Do what the verb says and write the outcome to the descriptor `out`.

    Returns:
        The exit code: 0, or 1 when it failed or found damage.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # ended by one, it must not look like a success
    try:
        code, text = anyio.run(partial(_outcome, arguments, settings))
    except MemstrataError as error:
        sys.stderr.write(f"memstrata: {error}\n")
        return FAILED
    _write(out, text + "\n")
    return code


async def _outcome(arguments: Arguments, settings: Settings) -> tuple[int, str]:
    if arguments.verb == STATUS:
        return 0, await _status(arguments, settings)
    if arguments.verb == CHECK:
        return await _check(settings)
    if arguments.verb == PROBE:
        return await _probe(settings)
    return 0, await _backup(arguments, settings)


async def _status(arguments: Arguments, settings: Settings) -> str:
    from memory_core import inspect_memory, process_status
    from server.status import status_reply, unopened_reply
    from server.status_text import status_text

    # Whoever names a user wants that user's counts; the one of the settings is everybody's.
    ids = {key: arguments.settings.get(key) or "" for key in ("user_id", "assistant_id")}
    status = await inspect_memory(settings, datetime.now(UTC), **ids)
    if status is None:
        problem = "There is no memory here yet; the first turn that is stored makes it."
        reply = unopened_reply(settings.data_storage_path, process_status(), problem)
    else:
        reply = status_reply(status)
    if arguments.json:
        shown = reply.model_dump(exclude_unset=True)
        return json.dumps(shown, indent=2, ensure_ascii=False)
    return status_text(reply)


async def _check(settings: Settings) -> tuple[int, str]:
    from memory_core import check_memory

    faults = await check_memory(settings)
    if faults:
        return FAILED, "\n".join(faults)
    return 0, f"The memory in {settings.data_storage_path} is whole."


async def _probe(settings: Settings) -> tuple[int, str]:
    from memory_core import probe_model

    probe = await probe_model(settings)
    last = "All that is configured can be used." if probe.usable else "It cannot be used so."
    return 0 if probe.usable else FAILED, "\n".join((*map(str, probe.findings), last))


async def _backup(arguments: Arguments, settings: Settings) -> str:
    from memory_core import back_up_memory

    assert arguments.target
    made = await back_up_memory(settings, arguments.target)
    return f"The memory is copied to {made}."


def _write(descriptor: int, text: str) -> None:
    """Write all of it, as far as somebody reads."""
    data = memoryview(text.encode("utf-8", "backslashreplace"))
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except BrokenPipeError:
        return
