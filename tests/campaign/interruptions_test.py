#!/usr/bin/env python3
"""A campaign that is killed 50 times (kill -9), at random moments, while it writes and while it replaces its file, and resumed each time, has the numbers of one that nobody disturbed. Ctrl-C leaves a file that can be resumed."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import flights  # noqa: E402
from checks import expect, failures  # noqa: E402
from processes import with_usual_signals  # noqa: E402

program, plugins = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
count, dawdling, kills_wanted = 1500, 100, 50
choose = random.Random(18)


def start(*arguments):
    return subprocess.Popen([program, "campaign", "campaign.yaml", "-o", "broken.h5", "-j", "2", "--resume", *arguments], cwd=folder,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                            preexec_fn=with_usual_signals)


def fly_whole(*arguments):
    result = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "whole.h5", "-j", 2, *arguments, folder=folder)
    expect(result.returncode == 0, result.stderr)
    return flights.numbers(folder / "whole.h5")


def stamp(path):
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def await_and_kill(process, moment):
    """At a random moment; or in the midst of writing: as soon as the file changes; or as a new one is being made in its place."""
    delay = choose.uniform(0.01, 0.35)
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() - begin < delay:
        time.sleep(0.001)
    if moment != "any":
        watched = broken if moment == "write" else pathlib.Path(f"{broken}.partial")
        before = stamp(watched)
        while process.poll() is None and stamp(watched) == before and time.monotonic() - begin < 3:
            pass
    killed = process.poll() is None
    if killed:
        process.send_signal(signal.SIGKILL)
    out, err = process.communicate()
    expect(process.returncode in (0, -signal.SIGKILL), f"exit code {process.returncode}: {err}")
    return process.returncode != 0


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    broken = folder / "broken.h5"
    slow = folder / "slow"
    environment = {**os.environ, "GYROSTAT_TEST_DAWDLE": str(slow)}
    flights.write(folder, count)
    begin = time.monotonic()
    whole = fly_whole()
    status, records, failed = flights.state(folder / "whole.h5")
    expect((status, records) == ("finished", count) and 0 < failed < count, f"{status}, {records} flights, {failed} failed")
    print(f"undisturbed: {time.monotonic() - begin:.2f} s, {failed} of {count} flights failed")

    kills = campaigns = begun = 0
    moments = {"any": 0, "write": 0, "replace": 0}
    while kills < kills_wanted:
        moment = choose.choice(list(moments))
        if await_and_kill(start("--quiet"), moment):
            kills += 1
            moments[moment] += 1
        if not broken.exists():
            continue  # killed before it had made one
        status, records, failed = flights.state(broken)
        begun += 0 < records < count
        if status == "finished":
            expect(flights.numbers(broken) == whole, f"other numbers after {kills} kills")
            campaigns += 1
            broken.unlink()
    if not broken.exists() or flights.state(broken)[0] != "finished":
        out, err = start("--quiet").communicate()
        expect(err == "", err)
    expect(flights.numbers(broken) == whole, "other numbers in the end")
    expect(begun > 10, f"only {begun} sessions ended with some flights in the file")
    print(f"{kills} kills in {campaigns + 1} campaigns: {moments}; {begun} times with some of the flights in the file")

    # Ctrl-C, and what the system sends before it shuts down: the file can be resumed, and says so. Flight code dawdles until then.
    flights.write(folder, dawdling, plugins)
    whole = None
    for number, by in ((signal.SIGINT, "campaign.yaml"), (signal.SIGTERM, "broken.h5")):
        broken.unlink()
        slow.touch()
        process = start("--allow-plugins")
        while process.poll() is None and not (broken.exists() and flights.state(broken)[1] > 0):
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate()
        expect(process.returncode == 130, f"signal {number}: exit code {process.returncode}\n{err}")
        expect("go on with: gyrostat campaign campaign.yaml -o broken.h5 --resume" in out, out)
        status, records, failed = flights.state(broken)
        expect(status == "interrupted" and 0 < records < dawdling, f"signal {number}: {status}, {records} flights")
        slow.unlink()
        resumed = flights.gyrostat(program, "campaign", by, "--resume", "-o", "broken.h5", "--quiet", "--allow-plugins", folder=folder)
        expect(resumed.returncode == 0 and resumed.stdout + resumed.stderr == "", f"{resumed.returncode}: {resumed.stdout}{resumed.stderr}")
        whole = whole or fly_whole("--allow-plugins")
        expect(flights.numbers(broken) == whole, f"other numbers after signal {number}")

    left = sorted(path.name for path in folder.iterdir())
    expect(left == ["broken.h5", "campaign.yaml", "craft.yaml", "whole.h5"], f"files that are left: {left}")
    print(f"{time.monotonic() - begin:.1f} s, {len(failures)} failures")
sys.exit(len(failures) > 0)
