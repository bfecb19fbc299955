#!/usr/bin/env python3
"""One campaign in several processes, by MPI on one machine: the numbers are the same for any number of processes and threads, of flights in lanes and alone, with histories, after an interruption, and after a process was killed at any instant. And the job script for Slurm, with mpirun as on a cluster.

Nothing here depends on how fast the machine is: campaigns that are to be interrupted have flight code that dawdles until they are."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import flights  # noqa: E402
from checks import expect, failures  # noqa: E402

program, plugins = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
count, dawdling = 600, 120  # flights of campaigns that fly through, and of those that are interrupted
skipped = 77
mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
tcp = ("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")  # by default it leaves out lo, which may be all there is
at_once = ("--mca", "odls_base_sigkill_timeout", "0")  # when a process is killed, mpirun kills the others without a second's grace
environment = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def command(processes, threads, *more, options=()):
    return [*mpirun, *options, "-n", str(processes), program, "campaign", "campaign.yaml", "-o", "ranks.h5", "-j", str(threads), *more]


def fly(processes, threads, *more, options=()):
    return subprocess.run(command(processes, threads, *more, options=options), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)


def started(arguments, env):
    return subprocess.Popen(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def start(processes, *more, options=()):
    return started(command(processes, 1, *more, options=options), environment)


def resume(processes, *more):
    """By several processes, or by one without mpirun; nothing dawdles."""
    slow.unlink(missing_ok=True)
    if processes:
        return fly(processes, 1, "--resume", *more)
    return flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "--resume", "-j", 2, *more, folder=folder, env=environment)


def ranks_there():
    """The processes that mpirun has started here, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or os.readlink(entry / "cwd") != str(folder):
                continue
            for variable in (entry / "environ").read_bytes().split(b"\0"):
                name, _, value = variable.partition(b"=")
                if name == b"OMPI_COMM_WORLD_RANK":
                    found[int(value)] = int(entry.name)
        except OSError:
            pass  # it has ended meanwhile, or is somebody else's
    return found


def files():
    return sorted(folder.glob("ranks*.h5"))


def states():
    return [flights.state(path) for path in files()]


def await_flights(process, processes):
    """Until each has some in its file: it dawdles over the next."""
    while process.poll() is None:
        if len(files()) == processes and all(records > 0 for _, records, _ in states()):
            ranks = ranks_there()
            expect(len(ranks) == processes, f"of {processes} processes there are {sorted(ranks)}")
            return ranks
        time.sleep(0.01)
    expect(False, f"mpirun has ended: {process.communicate()}")
    return {}


def await_ranks(process, processes):
    """Until mpirun has started them, or has ended."""
    while process.poll() is None:
        ranks = ranks_there()
        if len(ranks) == processes:
            return ranks
        time.sleep(0.005)
    return {}


def expect_some(what):
    ended = sum(records for _, records, _ in states())
    expect(0 < ended < dawdling, f"{what}: {ended} flights")


def check(what):
    expect(flights.numbers(folder / "ranks.h5") == whole, f"{what}: other numbers")
    expect(files() == [folder / "ranks.h5"], f"{what}: parts are left: {files()}")
    remove()


def remove():
    for path in folder.glob("ranks*"):
        path.unlink()


def fly_whole(number, threads, *more, library=None):
    """By one process: what all others are compared with."""
    flights.write(folder, number, library)
    result = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "whole.h5", "-j", threads, "--force", *more, folder=folder, env=environment)
    expect(result.returncode == 0, result.stderr)
    return flights.numbers(folder / "whole.h5")


def shim_of_mpirun(text):
    """What the job script finds as mpirun: with the processes that Slurm would tell it."""
    (folder / "bin").mkdir(exist_ok=True)
    shim = folder / "bin/mpirun"
    shim.write_text("#!/bin/bash\n" + text.replace("{real}", f"'{shutil.which('mpirun')}'") + "\n")
    shim.chmod(0o755)


def run_job(script):
    return started(["bash", "-c", script], {**environment, "PATH": f"{folder}/bin:{os.environ['PATH']}"})


def said_since(begin, what):
    print(f"{time.monotonic() - begin:5.1f} s  {what}", flush=True)


def numbers_do_not_depend_on_processes():
    for processes, threads, options in ((1, 2, ()), (2, 1, ()), (2, 2, ()), (4, 1, ()), (3, 1, tcp)):
        what = f"{processes} processes of {threads} threads {' '.join(options)}"
        result = fly(processes, threads, options=options)
        expect(result.returncode == 0, f"{what}: {result.stderr}")
        expect(result.stdout.count(f"{count:,} of {count:,} flights have ended") == 1, f"{what}: the first alone speaks:\n{result.stdout}")
        if (processes, threads) == (2, 1):  # no second flight into a file that is finished
            result = fly(processes, threads, "--resume")
            expect(result.returncode != 0 and result.stderr.count("is finished; there is nothing to resume") == 1, result.stderr)
        check(what)
        said_since(begin, what)


def interrupted(processes, then):
    """As Ctrl-C does to mpirun: all stop, and the first takes over what the others have."""
    slow.touch()
    process = start(processes, "--allow-plugins")
    await_flights(process, processes)
    process.send_signal(signal.SIGINT)
    process.communicate()
    expect(process.returncode != 0, "interrupted, and yet finished")
    what = f"{processes} processes interrupted, and resumed by {then or 1}"
    expect_some(what)
    result = resume(then, "--allow-plugins")
    expect(result.returncode == 0, f"{what}: {result.stderr}")
    check(what)
    said_since(begin, what)


def killed(processes, rank, then):
    """All stop, every file is whole, and --resume flies what is missing."""
    slow.touch()
    process = start(processes, "--allow-plugins", options=at_once)
    os.kill(await_flights(process, processes)[rank], signal.SIGKILL)
    process.communicate()
    what = f"rank {rank} of {processes} killed, and resumed by {then or 1}"
    expect(process.returncode != 0, f"{what}: mpirun is content")
    expect_some(what)
    result = resume(then, "--allow-plugins")
    expect(result.returncode == 0, f"{what}: {result.stderr}")
    check(what)
    said_since(begin, what)


def kill_at_random_instants(kills_wanted):
    """Any process, at any instant from its start on; each time what is missing is flown, by one process or by several."""
    choose = random.Random(1813)
    kills = begun = 0
    while kills < kills_wanted:
        processes = choose.choice((2, 3))
        process = start(processes, options=at_once)
        ranks = await_ranks(process, processes)
        if choose.random() < 0.7:  # not while they only find each other
            while process.poll() is None and not files():
                time.sleep(0.001)
        rank, delay = choose.randrange(processes), choose.uniform(0, 0.5)
        time.sleep(delay)
        try:
            if ranks and process.poll() is None:
                os.kill(ranks[rank], signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()
        what = f"rank {rank} of {processes} killed after {delay:.2f} s"
        kills += process.returncode != 0
        begun += 0 < sum(records for _, records, _ in states()) < count
        whole_already = (folder / "ranks.h5").exists() and flights.state(folder / "ranks.h5")[0] == "finished"  # killed at its very end
        if process.returncode != 0 and not whole_already:
            result = resume(0 if choose.random() < 0.6 else 2)
            expect(result.returncode == 0, f"{what}: {result.stderr}")
        check(what)
    return begun


def what_is_wrong_is_said_once():
    (folder / "wrong_model.yaml").write_text(flights.MODEL + "no_such_section: 1\n")
    of_wrong_model = flights.CAMPAIGN.format(count=3).replace("craft.yaml", "wrong_model.yaml")
    for said, text in (("error: measure: missing", "gyrostat_campaign: 1\nmodel: craft.yaml\nsamples: {count: 3}\n"),
                       ("error: no_such_section: unknown field", of_wrong_model),
                       ("none.yaml: cannot be read", of_wrong_model.replace("wrong_model.yaml", "none.yaml"))):
        (folder / "wrong.yaml").write_text(text)
        result = subprocess.run([*mpirun, "-n", "3", program, "campaign", "wrong.yaml"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
        expect(result.returncode != 0 and result.stderr.count(said) == 1, f"{said}: not once:\n{result.stderr}")


def job_script(*more):
    made = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "-j", 1, "--slurm", 2, *more, folder=folder)
    expect(made.returncode == 0 and made.stdout.startswith("#!/bin/bash\n"), made.stdout + made.stderr)
    return made.stdout


def job_scripts_say_what_they_ask_for():
    for line in ("#SBATCH --ntasks=2", "#SBATCH --cpus-per-task=1", "#SBATCH --job-name=ranks", "#SBATCH --requeue", "#SBATCH --signal=B:TERM@120"):
        expect(line in job_script().splitlines(), f"{line} is missing:\n{job_script()}")
    whole_machines = flights.gyrostat(program, "campaign", "campaign.yaml", "--slurm", 3, "-o", "out of 'it'.h5", folder=folder).stdout
    for line in ("#SBATCH --nodes=3", "#SBATCH --ntasks-per-node=1", "#SBATCH --exclusive", "#SBATCH --job-name=out_of__it_"):
        expect(line in whole_machines.splitlines(), f"{line} is missing:\n{whole_machines}")
    expect(r"""-o 'out of '\''it'\''.h5' --resume""" in whole_machines and " -j" not in whole_machines, whole_machines)


def jobs_go_on():
    """The script as it is, with an mpirun that has the processes which Slurm would tell it. First a time limit: the shell of the script alone is told. It tells mpirun, and the script ends without another attempt. Submitted again, it loses a process, and goes on by itself."""
    script = job_script("--allow-plugins")
    shim_of_mpirun('echo attempt >> attempts\nexec {real} --allow-run-as-root --oversubscribe -n 2 "$@"')
    attempts = folder / "attempts"
    slow.touch()
    process = run_job(script)
    await_flights(process, 2)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate()
    expect(process.returncode != 0 and attempts.read_text().count("attempt") == 1, f"{process.returncode}: {out}{err}")
    expect_some("the job script is told to end")
    attempts.unlink()

    process = run_job(script)
    ranks = await_ranks(process, 2)
    while process.poll() is None and len(files()) < 2:  # both have begun
        time.sleep(0.01)
    os.kill(ranks[1], signal.SIGKILL)
    slow.unlink()
    out, err = process.communicate()
    expect(process.returncode == 0, f"the job failed: {process.returncode}: {out}{err}")
    expect(attempts.read_text().count("attempt") == 2, attempts.read_text())
    expect(out.count(f"{dawdling:,} of {dawdling:,} flights have ended") == 1, out)
    check("Slurm's script")
    said_since(begin, "the job script is told to end, is submitted again, and loses a process")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name).resolve()
    slow = folder / "slow"
    environment["GYROSTAT_TEST_DAWDLE"] = str(slow)
    begin = time.monotonic()
    if subprocess.run([*mpirun, "-n", "2", "true"], stdin=subprocess.DEVNULL, capture_output=True, env=environment).returncode != 0:
        print("mpirun starts no processes here: it needs a network interface, if only lo")
        sys.exit(skipped)

    whole = fly_whole(count, 1)
    numbers_do_not_depend_on_processes()
    begun = kill_at_random_instants(15)
    said_since(begin, f"15 kills at random instants, {begun} with some of the flights in the files")
    what_is_wrong_is_said_once()
    job_scripts_say_what_they_ask_for()

    whole = fly_whole(dawdling, 2, "--allow-plugins", library=plugins)
    interrupted(3, then=2)
    interrupted(2, then=0)
    killed(3, rank=2, then=2)
    killed(2, rank=0, then=3)
    killed(3, rank=1, then=0)
    jobs_go_on()

    # flights that are flown alone; histories of a latin hypercube
    flights.write(folder, 40)
    model, campaign = (folder / "craft.yaml").read_text(), (folder / "campaign.yaml").read_text()
    record = "record: {interval: 0.5, columns: [hinge.angle, bus.omega], of: 20, worst: {measure: peak, count: 5}}\n"
    for what, a_model, a_campaign in (("an implicit integrator", model.replace("method: dopri5", "method: cvode_bdf"), campaign),
                                      ("histories of a latin hypercube", model, campaign.replace("sobol", "latin_hypercube") + record)):
        (folder / "craft.yaml").write_text(a_model)
        (folder / "campaign.yaml").write_text(a_campaign)
        expect(a_model != model or a_campaign != campaign, what)
        result = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "whole.h5", "-j", 1, "--force", folder=folder)
        expect(result.returncode == 0, result.stderr)
        expect(("one by one" in result.stdout) == (a_model != model), result.stdout)
        whole = flights.numbers(folder / "whole.h5")
        result = fly(3, 1)
        expect(result.returncode == 0, result.stderr)
        check(f"{what}, by 3 processes")
    said_since(begin, f"flights alone, and histories; {len(failures)} failures")
sys.exit(len(failures) > 0)
