#!/usr/bin/env python3
"""One campaign in several processes, by MPI on one machine: the numbers are the same for any number of processes and threads, after an interruption, and after a process was killed. And the job script for Slurm, with mpirun as on a cluster."""
import os
import pathlib
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

    # Slurm: the script as it is, with an mpirun that has the processes which Slurm would tell it
    made = flights.gyrostat(program, "campaign", "campaign.yaml", "-o", "ranks.h5", "-j", 1, "--slurm", 2, folder=folder)
    script = made.stdout
    expect(made.returncode == 0 and script.startswith("#!/bin/bash\n"), script + made.stderr)
    for line in ("#SBATCH --ntasks=2", "#SBATCH --cpus-per-task=1", "#SBATCH --job-name=ranks", "#SBATCH --requeue", "#SBATCH --signal=TERM@60"):
        expect(line in script.splitlines(), f"{line} is missing:\n{script}")
    whole_machines = flights.gyrostat(program, "campaign", "campaign.yaml", "--slurm", 3, "-o", "out of 'it'.h5", folder=folder).stdout
    for line in ("#SBATCH --nodes=3", "#SBATCH --ntasks-per-node=1", "#SBATCH --exclusive", "#SBATCH --job-name=out_of__it_"):
        expect(line in whole_machines.splitlines(), f"{line} is missing:\n{whole_machines}")
    expect(r"""-o 'out of '\''it'\''.h5' --resume""" in whole_machines and " -j" not in whole_machines, whole_machines)
    # The first attempt loses a process.
    (folder / "bin").mkdir()
    shim = folder / "bin/mpirun"
    real = subprocess.run(["which", "mpirun"], capture_output=True, text=True, check=True).stdout.strip()
    shim.write_text(f"""#!/bin/bash
echo attempt >> attempts
{real} --allow-run-as-root --oversubscribe -n 2 "$@" & process=$!
if (( $(wc -l < attempts) == 1 )); then
  until [[ -s ranks.rank1.h5 ]]; do sleep 0.01; done
  pkill -STOP -P $process -f 'gyrostat campaign'
  kill -9 "$(pgrep -P $process -f 'gyrostat campaign' | tail -1)"
fi
wait $process
""")
    shim.chmod(0o755)
    result = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, env={**environment, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
    expect(result.returncode == 0, f"the job failed: {result.stderr}")
    attempts = (folder / "attempts").read_text().count("attempt")
    expect(attempts == 2, f"{attempts} attempts")
    check("Slurm's script")
    expect(result.stdout.count(f"{count:,} of {count:,} flights have ended") == 1, result.stdout)
    print(f"{time.monotonic() - begin:5.1f} s in all, {len(failures)} failures")
sys.exit(len(failures) > 0)
