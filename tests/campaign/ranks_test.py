#!/usr/bin/env python3
"""One campaign in several processes, by MPI on one machine: the numbers are the same for any number of processes and threads, of flights in lanes and alone, with histories, after an interruption, and after a process was killed at any instant. And the job script for Slurm, with mpirun as on a cluster."""
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

program = str(pathlib.Path(sys.argv[1]).resolve())
count = 1500
mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
environment = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def command(processes, threads, *more, output="ranks.h5", options=()):
    return [*mpirun, *options, "-n", str(processes), program, "campaign", "campaign.yaml", "-o", output, "-j", str(threads), *more]


def fly(processes, threads, *more, options=()):
    return subprocess.run(command(processes, threads, *more, options=options), cwd=folder, capture_output=True, text=True, env=environment)


def start(processes, threads):
    return subprocess.Popen(command(processes, threads), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def processes_of(of):
    """The processes that mpirun has started, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) != of:
                continue
            for variable in (entry / "environ").read_bytes().split(b"\0"):
                name, _, value = variable.partition(b"=")
                if name == b"OMPI_COMM_WORLD_RANK":
                    found[int(value)] = int(entry.name)
        except OSError:
            pass  # it has ended meanwhile
    return found


def stop_in_flight(process, processes):
    """Each has flown some and none has flown all, however fast the machine is: they stand still until mpirun, which lets them go on, ends them."""
    wait_for_flights(process, processes)
    ranks = processes_of(process.pid)
    expect(len(ranks) == processes, f"of {processes} processes there are {sorted(ranks)}")
    for number in ranks.values():
        os.kill(number, signal.SIGSTOP)
    return ranks


def files():
    return sorted(folder.glob("ranks*.h5"))


def wait_for_flights(process, processes):
    """Until each has some in its file."""
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() - begin < 60:
        if len(files()) == processes and all(flights.state(path)[1] > 0 for path in files()):
            return
        time.sleep(0.01)


def check(what):
    expect(flights.numbers(folder / "ranks.h5") == whole, f"{what}: other numbers")
    expect(files() == [folder / "ranks.h5"], f"{what}: parts are left: {files()}")


def fly_whole(number, threads):
    """By one process: what all others are compared with."""
    flights.write(folder, number)
    result = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "whole.h5", "-j", threads, "--force", folder=folder)
    expect(result.returncode == 0, result.stderr)
    return flights.numbers(folder / "whole.h5")


def shim_of_mpirun(text):
    """What the job script finds as mpirun: with the processes that Slurm would tell it."""
    (folder / "bin").mkdir(exist_ok=True)
    real = subprocess.run(["which", "mpirun"], capture_output=True, text=True, check=True).stdout.strip()
    shim = folder / "bin/mpirun"
    shim.write_text("#!/bin/bash\n" + text.replace("{real}", real) + "\n")
    shim.chmod(0o755)


def run_job(script):
    return subprocess.Popen(["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**environment, "PATH": f"{folder}/bin:{os.environ['PATH']}"})


def await_ranks(process, processes):
    """Until mpirun has started them, or has ended."""
    while process.poll() is None:
        ranks = processes_of(process.pid)
        if len(ranks) == processes:
            return ranks
        time.sleep(0.005)
    return {}


def kill_at_random_instants(kills_wanted, longest):
    """Any process, at any instant from its start on; each time what is missing is flown, by one process or by several."""
    choose = random.Random(1813)
    kills = begun = attempts = 0
    while kills < kills_wanted and attempts < 4 * kills_wanted:
        attempts += 1
        processes = choose.choice((2, 3))
        process = start(processes, 1)
        ranks = await_ranks(process, processes)
        rank, delay = choose.randrange(processes), choose.uniform(0, longest)
        time.sleep(delay)
        try:
            if ranks and process.poll() is None:
                os.kill(ranks[rank], signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()
        killed = process.returncode != 0
        kills += killed
        there = [flights.state(path)[1] for path in files()]
        begun += killed and 0 < sum(there) < count
        whole_already = (folder / "ranks.h5").exists() and flights.state(folder / "ranks.h5")[0] == "finished"  # killed at its very end
        if killed and not whole_already:
            alone = choose.random() < 0.6
            result = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "--resume", "-j", 2, folder=folder) if alone else fly(2, 1, "--resume")
            expect(result.returncode == 0, f"rank {rank} of {processes} killed after {delay:.2f} s: {result.stderr}")
        check(f"rank {rank} of {processes} killed after {delay:.2f} s")
        remove()
    return kills, begun


def remove():
    for path in folder.glob("ranks*"):
        path.unlink()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    begin = time.monotonic()
    whole = fly_whole(count, 1)
    seconds = time.monotonic() - begin

    for processes, threads, options in ((1, 2, ()), (2, 1, ()), (2, 2, ()), (3, 1, ()), (4, 2, ()), (3, 1, ("--mca", "btl", "tcp,self"))):
        what = f"{processes} processes of {threads} threads {' '.join(options)}"
        result = fly(processes, threads, options=options)
        expect(result.returncode == 0, f"{what}: {result.stderr}")
        expect(result.stdout.count(f"{count:,} of {count:,} flights have ended") == 1, f"{what}: the first alone speaks:\n{result.stdout}")
        check(what)
        # no -o of another kind, no second flight into a file that is finished
        result = fly(processes, threads, "--resume", options=options) if processes == 2 and threads == 1 else None
        if result:
            expect(result.returncode != 0 and result.stderr.count("is finished; there is nothing to resume") == 1, result.stderr)
        remove()
        print(f"{time.monotonic() - begin:5.1f} s  {what}")

    # interrupted, as Ctrl-C does to mpirun: all stop, and the first takes over what the others have. mpirun takes a second for it, so there are flights for some more.
    short, count = (count, whole), int(count * 14 / seconds)
    whole = fly_whole(count, 2)

    # Slurm's time limit: the shell of the script alone is told. It tells mpirun, and the script ends without another attempt.
    job = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "-j", 1, "--slurm", 2, folder=folder).stdout
    shim_of_mpirun('echo attempt >> attempts\nexec {real} --allow-run-as-root --oversubscribe -n 2 "$@"')
    process = run_job(job)
    wait_for_flights(process, 2)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    expect(process.returncode != 0 and (folder / "attempts").read_text().count("attempt") == 1, f"{process.returncode}: {out}{err}")
    expect(0 < sum(flights.state(path)[1] for path in files()) < count, f"{[flights.state(path) for path in files()]}")
    (folder / "attempts").unlink()
    result = run_job(job)
    out, err = result.communicate()
    expect(result.returncode == 0, f"the job does not go on: {out}{err}")
    check("Slurm's script that was told to end and submitted again")
    (folder / "attempts").unlink()
    remove()
    print(f"{time.monotonic() - begin:5.1f} s  the job script is told to end, and goes on")
    for processes, then in ((3, 2), (2, 0)):
        process = start(processes, 1)
        stop_in_flight(process, processes)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        expect(process.returncode != 0, "interrupted, and yet finished")
        states = [flights.state(path) for path in files()]
        expect(0 < sum(s[1] for s in states) < count, f"{states}")
        print(f"{time.monotonic() - begin:5.1f} s  {processes} processes interrupted: {[(p.name, s) for p, s in zip(files(), states)]}")
        result = fly(then, 1, "--resume") if then else flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "--resume", folder=folder)
        expect(result.returncode == 0, result.stderr)
        check(f"interrupted with {processes} and resumed with {then or 1} processes")
        remove()

    count, whole = short
    flights.write(folder, count)
    # a process is killed: all stop, every file is whole, and --resume flies what is missing
    for processes, rank, then in ((3, 2, 2), (2, 0, 3), (3, 1, 0)):
        process = start(processes, 1)
        os.kill(stop_in_flight(process, processes)[rank], signal.SIGKILL)
        out, err = process.communicate()
        expect(process.returncode != 0, f"rank {rank} killed, and yet mpirun is content")
        states = [flights.state(path) for path in files()]
        expect(0 < sum(s[1] for s in states) < count, f"{states}")
        print(f"{time.monotonic() - begin:5.1f} s  rank {rank} of {processes} killed (exit code {process.returncode}): {[(p.name, s) for p, s in zip(files(), states)]}")
        result = fly(then, 1, "--resume") if then else flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "--resume", folder=folder)
        expect(result.returncode == 0, result.stderr)
        check(f"rank {rank} of {processes} killed and resumed with {then or 1} processes")
        remove()

    kills, begun = kill_at_random_instants(15, min(0.4 + seconds, 1.5))
    expect(kills == 15 and begun >= 3, f"{kills} kills, {begun} of them among the flights")
    print(f"{time.monotonic() - begin:5.1f} s  {kills} kills at random instants, {begun} with some of the flights in the files")

    # what is wrong is said once
    (folder / "wrong_model.yaml").write_text(flights.MODEL + "no_such_section: 1\n")
    of_wrong_model = flights.CAMPAIGN.format(count=3).replace("craft.yaml", "wrong_model.yaml")
    for said, text in (("error: measure: missing", "gyrostat_campaign: 1\nmodel: craft.yaml\nsamples: {count: 3}\n"),
                       ("error: no_such_section: unknown field", of_wrong_model),
                       ("none.yaml: cannot be read", of_wrong_model.replace("wrong_model.yaml", "none.yaml"))):
        (folder / "wrong.yaml").write_text(text)
        result = subprocess.run([*mpirun, "-n", "3", program, "campaign", "wrong.yaml"], cwd=folder, capture_output=True, text=True, env=environment)
        expect(result.returncode != 0 and result.stderr.count(said) == 1, f"{said}: not once:\n{result.stderr}")

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
        compared, whole = whole, flights.numbers(folder / "whole.h5")
        result = fly(3, 1)
        expect(result.returncode == 0, result.stderr)
        check(f"{what}, by 3 processes")
        remove()
        whole = compared
    flights.write(folder, count)
    print(f"{time.monotonic() - begin:5.1f} s  flights alone, and histories")

    # Slurm: the script as it is, with an mpirun that has the processes which Slurm would tell it
    made = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "-j", 1, "--slurm", 2, folder=folder)
    script = made.stdout
    expect(made.returncode == 0 and script.startswith("#!/bin/bash\n"), script + made.stderr)
    for line in ("#SBATCH --ntasks=2", "#SBATCH --cpus-per-task=1", "#SBATCH --job-name=ranks", "#SBATCH --requeue", "#SBATCH --signal=B:TERM@120"):
        expect(line in script.splitlines(), f"{line} is missing:\n{script}")
    whole_machines = flights.gyrostat(program, "campaign", "campaign.yaml", "--slurm", 3, "-o", "out of 'it'.h5", folder=folder).stdout
    for line in ("#SBATCH --nodes=3", "#SBATCH --ntasks-per-node=1", "#SBATCH --exclusive", "#SBATCH --job-name=out_of__it_"):
        expect(line in whole_machines.splitlines(), f"{line} is missing:\n{whole_machines}")
    expect(r"""-o 'out of '\''it'\''.h5' --resume""" in whole_machines and " -j" not in whole_machines, whole_machines)
    # The first attempt loses a process.
    shim_of_mpirun("""echo attempt >> attempts
{real} --allow-run-as-root --oversubscribe -n 2 "$@" & process=$!
if (( $(wc -l < attempts) == 1 )); then
  until [[ -s ranks.rank1.h5 ]]; do sleep 0.01; done
  pkill -STOP -P $process -f 'gyrostat campaign'
  kill -9 "$(pgrep -P $process -f 'gyrostat campaign' | tail -1)"
fi
wait $process
""")
    process = run_job(script)
    out, err = process.communicate()
    result = subprocess.CompletedProcess([], process.returncode, out, err)
    expect(result.returncode == 0, f"the job failed: {result.stderr}")
    attempts = (folder / "attempts").read_text().count("attempt")
    expect(attempts == 2, f"{attempts} attempts")
    check("Slurm's script")
    expect(result.stdout.count(f"{count:,} of {count:,} flights have ended") == 1, result.stdout)
    print(f"{time.monotonic() - begin:5.1f} s in all, {len(failures)} failures")
sys.exit(len(failures) > 0)
