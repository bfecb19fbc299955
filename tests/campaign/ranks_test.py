#!/usr/bin/env python3
"""One campaign in several processes, by MPI on one machine: the numbers are the same for any number of processes and threads, of flights in lanes and alone, with histories, after an interruption, and after a process was killed at any instant. And the job script for Slurm, with mpirun as on a cluster.

    ranks_test.py PROGRAM PLUGINS HELLO_MPI [PART..]     without parts: all

Nothing here depends on how fast the machine is: campaigns that are to be interrupted have flight code that dawdles until they are. Where MPI itself does not work, by a program that does no more than to count, the part is skipped and says why."""
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import flights  # noqa: E402
from checks import expect, failures  # noqa: E402
from processes import Job, mpirun, ranks_in, run, surroundings  # noqa: E402

program, plugins, hello = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
count, dawdling = 600, 120  # flights of campaigns that fly through, and of those that are interrupted
skipped = 77
tcp = ("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")  # by default it leaves out lo, which may be all there is
at_once = ("--mca", "odls_base_sigkill_timeout", "0")  # when a process is killed, mpirun kills the others without a second's grace
environment = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "TMPDIR": tempfile.gettempdir()}  # where can be written


def command(number, threads, *more, options=()):
    return [*mpirun, *options, "-n", str(number), program, "campaign", "campaign.yaml", "-o", "ranks.h5", "-j", str(threads), *more]


def fly(number, threads, *more, options=()):
    return run(command(number, threads, *more, options=options), folder, environment)


def start(number, *more, options=()):
    return Job(command(number, 1, *more, options=options), folder, environment)


def alone(*arguments):
    return run([program, *arguments], folder, environment)


def resume(number, *more):
    """By several processes, or by one without mpirun; nothing dawdles."""
    slow.unlink(missing_ok=True)
    if number:
        return fly(number, 1, "--resume", *more)
    return alone("campaign", "campaign.yaml", "-o", "ranks.h5", "--resume", "-j", "2", *more)


def files():
    return sorted(folder.glob("ranks*.h5"))


def states():
    return [flights.state(path) for path in files()]


def told_of_files():
    return "; ".join(f"{path.name}: {flights.state(path)}" for path in files()) or "no files"


def await_flights(job, number):
    """Until each has some in its file: it dawdles over the next. The processes, by rank."""
    def begun():
        return len(files()) == number and all(records > 0 for _, records, _ in states())
    if not job.await_(begun):
        expect(False, f"it has ended before each of {number} processes had flown: {told_of_files()}\n{job}")
        return {}
    ranks = ranks_in(folder)
    expect(sorted(ranks) == list(range(number)), f"of {number} processes there are {sorted(ranks)}\n{job}\n{job.told_of_processes()}")
    return ranks


def await_ranks(job, number):
    """Until they are there, or it has ended."""
    return job.await_(lambda: ranks if len(ranks := ranks_in(folder)) == number else None) or {}


def kill(ranks, rank):
    """False where it is not there any more."""
    try:
        os.kill(ranks[rank], signal.SIGKILL)
        return True
    except (KeyError, ProcessLookupError):
        return False


def expect_some(what):
    ended = sum(records for _, records, _ in states())
    expect(0 < ended < dawdling, f"{what}: {ended} flights; {told_of_files()}")


def check(what, whole):
    if (folder / "ranks.h5").exists():
        other = flights.different(flights.numbers(folder / "ranks.h5"), whole)
        expect(not other, f"{what}: other numbers: {other}")
    else:
        expect(False, f"{what}: there is no file")
    expect(files() == [folder / "ranks.h5"], f"{what}: parts are left: {told_of_files()}")
    remove()


def remove():
    for path in folder.glob("ranks*"):
        path.unlink()


def fly_whole(number, threads, *more, library=None):
    """By one process: what all others are compared with."""
    flights.write(folder, number, library)
    return numbers_of_whole(threads, *more)


def numbers_of_whole(threads, *more):
    result = alone("campaign", "campaign.yaml", "-o", "whole.h5", "-j", str(threads), "--force", *more)
    expect(result.code == 0, f"the whole: {result}")
    return flights.numbers(folder / "whole.h5")


def said(what):
    print(f"{time.monotonic() - begin:5.1f} s  {what}", flush=True)


def works(number, *options):
    """Does MPI itself? Else prints why it does not."""
    try:
        job = run([*mpirun, *options, "-n", str(number), hello], folder, environment)
    except OSError as error:
        print(f"mpirun cannot be started: {error}")
        return False
    if job.code != 0:
        print(f"MPI does not work here, whatever the program:\n{job}\n{surroundings()}")
    return job.code == 0


def fly_with(number, threads, options=()):
    what = f"{number} processes of {threads} threads {' '.join(options)}"
    result = fly(number, threads, options=options)
    expect(result.code == 0, f"{what}: {result}")
    expect(result.out.count(f"{count:,} of {count:,} flights have ended") == 1, f"{what}: the first alone speaks: {result}")
    return what


def same_numbers():
    whole = fly_whole(count, 1)
    for number, threads in ((1, 2), (2, 1), (2, 2), (4, 1)):
        what = fly_with(number, threads)
        if (number, threads) == (2, 1):  # no second flight into a file that is finished
            result = fly(number, threads, "--resume")
            expect(result.code != 0 and result.err.count("is finished; there is nothing to resume") == 1, f"{what} again: {result}")
        check(what, whole)
        said(what)


def same_numbers_by_tcp():
    whole = fly_whole(count, 1)
    what = fly_with(3, 1, tcp)
    check(what, whole)
    said(what)


def interrupted():
    """As Ctrl-C does to mpirun: all stop, and the first takes over what the others have."""
    whole = fly_whole(dawdling, 2, "--allow-plugins", library=plugins)
    for number, then in ((3, 2), (2, 0)):
        what = f"{number} processes interrupted, and resumed by {then or 1}"
        slow.touch()
        job = start(number, "--allow-plugins")
        await_flights(job, number)
        job.process.send_signal(signal.SIGINT)
        job.end()
        expect(job.code != 0, f"{what}: interrupted, and yet finished: {job}")
        expect_some(what)
        result = resume(then, "--allow-plugins")
        expect(result.code == 0, f"{what}: {result}\nafter {job}")
        check(what, whole)
        said(what)


def killed():
    """All stop, every file is whole, and --resume flies what is missing."""
    whole = fly_whole(dawdling, 2, "--allow-plugins", library=plugins)
    for number, rank, then in ((3, 2, 2), (2, 0, 3), (3, 1, 0)):
        what = f"rank {rank} of {number} killed, and resumed by {then or 1}"
        slow.touch()
        job = start(number, "--allow-plugins", options=at_once)
        expect(kill(await_flights(job, number), rank), f"{what}: there is no rank {rank}: {job}")
        job.end()
        expect(job.code != 0, f"{what}: mpirun is content: {job}")
        expect_some(what)
        result = resume(then, "--allow-plugins")
        expect(result.code == 0, f"{what}: {result}\nafter {job}")
        check(what, whole)
        said(what)


def killed_at_any_instant():
    """Any process, at any instant from its start on; each time what is missing is flown, by one process or by several."""
    whole = fly_whole(count, 1)
    choose = random.Random(1813)
    kills = begun = tries = 0
    while kills < 15:
        tries += 1
        if tries > 150:
            expect(False, f"of {tries} attempts {kills} were killed in time; the last: {job}")
            break
        number = choose.choice((2, 3))
        job = start(number, options=at_once)
        ranks = await_ranks(job, number)
        if choose.random() < 0.7:  # not while they only find each other
            job.await_(files)
        rank, delay = choose.randrange(number), choose.uniform(0, 0.5)
        time.sleep(delay)
        what = f"rank {rank} of {number} killed after {delay:.2f} s"
        if job.process.poll() is None:
            kill(ranks, rank)
        job.end()
        kills += job.code != 0
        begun += 0 < sum(records for _, records, _ in states()) < count
        whole_already = (folder / "ranks.h5").exists() and flights.state(folder / "ranks.h5")[0] == "finished"  # killed at its very end
        if job.code != 0 and not whole_already:
            before = told_of_files()
            result = resume(0 if choose.random() < 0.6 else 2)
            expect(result.code == 0, f"{what}: {result}\nafter {job}\n  {before}")
        check(what, whole)
        if failures:
            break
    said(f"{kills} kills at random instants, {begun} with some of the flights in the files")


def run_as(number, how, *arguments):
    """Each process by a line of the shell, which may look at its rank and ends with "$@"."""
    return run([*mpirun, "-n", str(number), "sh", "-c", how, "sh", program, "campaign", *arguments], folder, environment)


def what_is_wrong_is_said_once():
    """By the first, also where it comes last: mpirun ends all as soon as one has ended with another code than 0."""
    flights.write(folder, count)
    (folder / "wrong_model.yaml").write_text(flights.MODEL + "no_such_section: 1\n")
    of_wrong_model = flights.CAMPAIGN.format(count=3).replace("craft.yaml", "wrong_model.yaml")
    for error, text in (("error: measure: missing", "gyrostat_campaign: 1\nmodel: craft.yaml\nsamples: {count: 3}\n"),
                        ("error: no_such_section: unknown field", of_wrong_model),
                        ("none.yaml: cannot be read", of_wrong_model.replace("wrong_model.yaml", "none.yaml"))):
        (folder / "wrong.yaml").write_text(text)
        result = run_as(3, '[ $OMPI_COMM_WORLD_RANK != 0 ] || sleep 1; exec "$@"', "wrong.yaml")
        expect(result.code != 0 and result.err.count(error) == 1, f"{error}: not once: {result}")
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere/campaign.yaml").write_text((folder / "campaign.yaml").read_text())
    result = run_as(3, 'if [ $OMPI_COMM_WORLD_RANK = 2 ]; then cd elsewhere; fi; exec "$@"', "campaign.yaml", "-o", "ranks.h5")
    expect(result.code != 0 and result.err.count("craft.yaml: cannot be read") == 1, f"a model that one of them does not have: {result}")
    expect(not files(), f"flown without the one that does not have the model: {result}\n{told_of_files()}")


def alone_and_with_histories():
    """Flights that are flown one by one; histories of a latin hypercube."""
    flights.write(folder, 40)
    model, campaign = (folder / "craft.yaml").read_text(), (folder / "campaign.yaml").read_text()
    record = "record: {interval: 0.5, columns: [hinge.angle, bus.omega], of: 20, worst: {measure: peak, count: 5}}\n"
    for what, a_model, a_campaign in (("an implicit integrator", model.replace("method: dopri5", "method: cvode_bdf"), campaign),
                                      ("histories of a latin hypercube", model, campaign.replace("sobol", "latin_hypercube") + record)):
        (folder / "craft.yaml").write_text(a_model)
        (folder / "campaign.yaml").write_text(a_campaign)
        expect(a_model != model or a_campaign != campaign, what)
        whole = numbers_of_whole(1)
        result = fly(3, 1)
        expect(result.code == 0, f"{what}: {result}")
        expect(("one by one" in result.out) == (a_model != model), f"{what}: {result}")
        check(f"{what}, by 3 processes", whole)
        said(what)


def job_script(*more):
    made = alone("campaign", "campaign.yaml", "-o", "ranks.h5", "-j", "1", "--slurm", "2", *more)
    expect(made.code == 0 and made.out.startswith("#!/bin/bash\n"), f"{made}")
    return made.out


def job_scripts_say_what_they_ask_for():
    lines = job_script().splitlines()
    for line in ("#SBATCH --ntasks=2", "#SBATCH --cpus-per-task=1", "#SBATCH --job-name=ranks", "#SBATCH --requeue", "#SBATCH --signal=B:TERM@120"):
        expect(line in lines, f"{line} is missing: {lines}")
    whole_machines = alone("campaign", "campaign.yaml", "--slurm", "3", "-o", "out of 'it'.h5").out
    for line in ("#SBATCH --nodes=3", "#SBATCH --ntasks-per-node=1", "#SBATCH --exclusive", "#SBATCH --job-name=out_of__it_"):
        expect(line in whole_machines.splitlines(), f"{line} is missing:\n{whole_machines}")
    expect(r"""-o 'out of '\''it'\''.h5' --resume""" in whole_machines and " -j" not in whole_machines, whole_machines)


def run_job(script):
    """The script as it is, with an mpirun that has the processes which Slurm would tell it."""
    (folder / "bin").mkdir(exist_ok=True)
    shim = folder / "bin/mpirun"
    shim.write_text(f"#!/bin/bash\necho attempt >> attempts\nexec '{shutil.which('mpirun')}' --allow-run-as-root --oversubscribe -n 2 \"$@\"\n")
    shim.chmod(0o755)
    return Job(["bash", "-c", script], folder, {**environment, "PATH": f"{folder}/bin:{os.environ['PATH']}"})


def as_a_job():
    """First a time limit: the shell of the script alone is told. It tells mpirun, and the script ends without another attempt. Submitted again, it loses a process, and goes on by itself."""
    whole = fly_whole(dawdling, 2, "--allow-plugins", library=plugins)
    job_scripts_say_what_they_ask_for()
    script = job_script("--allow-plugins")
    attempts = folder / "attempts"
    slow.touch()
    job = run_job(script)
    await_flights(job, 2)
    job.process.send_signal(signal.SIGTERM)
    job.end()
    expect(job.code != 0 and attempts.read_text().count("attempt") == 1, f"told to end, in {attempts.read_text().split()}: {job}")
    expect_some("the job script is told to end")
    attempts.unlink()
    said("the job script is told to end")

    job = run_job(script)
    ranks = await_ranks(job, 2)
    job.await_(lambda: len(files()) == 2)  # both have begun
    expect(kill(ranks, 1), f"there is no rank 1 to be killed: {job}")
    slow.unlink()
    job.end()
    expect(job.code == 0, f"the job failed: {job}")
    expect(attempts.read_text().count("attempt") == 2, f"{attempts.read_text().split()}: {job}")
    expect(job.out.count(f"{dawdling:,} of {dawdling:,} flights have ended") == 1, f"{job}")
    check("Slurm's script", whole)
    said("submitted again, it loses a process")


parts = {"same_numbers": same_numbers, "same_numbers_by_tcp": same_numbers_by_tcp, "alone_and_with_histories": alone_and_with_histories, "what_is_wrong_is_said_once": what_is_wrong_is_said_once,
         "interrupted": interrupted, "killed": killed, "killed_at_any_instant": killed_at_any_instant, "as_a_job": as_a_job}
of_hello = {"same_numbers": (4,), "same_numbers_by_tcp": (3, *tcp)}  # the most processes that the part starts, and how


def fly_part(name):
    """False where it was skipped: MPI itself does not work."""
    if not works(*of_hello.get(name, (3,))):
        return False
    try:
        parts[name]()
    except Exception:  # a file that is not whole, or that is gone
        expect(False, traceback.format_exc())
    print(f"{name}: {len(failures)} failures", flush=True)
    return True


flown = 0
for name in sys.argv[4:] or parts:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary).resolve()
        slow = folder / "slow"
        environment["GYROSTAT_TEST_DAWDLE"] = str(slow)
        begin = time.monotonic()
        flown += fly_part(name)
if failures:
    print(surroundings())
sys.exit(1 if failures else 0 if flown else skipped)
