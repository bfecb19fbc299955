"""Programs in several processes, by mpirun on one machine: started, awaited and ended, and all that is known of them where something goes wrong.

Only Linux's /proc is needed. Nothing is decided by time: a limit ends what would never end, and says what it was doing."""
import os
import pathlib
import resource
import shlex
import signal
import socket
import subprocess
import tempfile
import time

mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
longest = 400  # s, after which a job is taken to hang: on a slow machine the longest takes a tenth of it


def read(path):
    try:
        return pathlib.Path(path).read_bytes().decode(errors="replace")
    except OSError as error:
        return f"({error.strerror})"


def environment_of(number):
    return dict(entry.partition("=")[::2] for entry in read(f"/proc/{number}/environ").split("\0"))


def living(folder):
    """The processes whose folder this is, by their numbers. One that has ended has none, even where nobody has asked for its exit code."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "cwd") == str(folder):
                found.append(int(entry.name))
        except OSError:
            pass  # it has ended meanwhile, or is somebody else's
    return found


def ranks_in(folder):
    """Of those that mpirun has started, by their ranks."""
    ranks = {}
    for number in living(folder):
        rank = environment_of(number).get("OMPI_COMM_WORLD_RANK", "")
        if rank.isdigit():
            ranks[int(rank)] = number
    return ranks


def stuck_mpiruns(folder):
    """Those that have started processes, of which none lives, and that do not ask for their exit codes: PMIx 4.2 sometimes waits for a lock of its own where processes were killed, and mpirun never ends."""
    found = []
    for mpirun_number in living(folder):
        if read(f"/proc/{mpirun_number}/comm").strip() != "mpirun":
            continue
        states = set()
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                state, parent = (read(entry / "stat").rpartition(")")[2].split() + ["", ""])[:2]
                states |= {state} if parent == str(mpirun_number) else set()
        if states == {"Z"}:
            found.append(mpirun_number)
    return found


def with_usual_signals():
    """In a new process: whoever started the tests may ignore or block signals, and that is inherited."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Job:
    """A command that starts processes in a folder, which is theirs alone; what they print is kept in files, so that nobody waits for a reader."""

    def __init__(self, arguments, folder, env):
        self.arguments, self.folder, self.killed, self.told = [str(argument) for argument in arguments], folder, "", ""
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.begin = self.looked = self.last_moved = time.monotonic()
        self.process = subprocess.Popen(self.arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.errors, env=env,
                                        preexec_fn=with_usual_signals)

    def runs(self):
        """False where it has ended. One that hangs is ended, with what it started."""
        if self.process.poll() is not None:
            return False
        self.end_stuck_mpirun()
        if time.monotonic() - self.begin > longest and not self.killed:
            self.killed = f"has not ended in {longest} s and was killed; by then:\n{self.told_of_processes()}"
            for number in living(self.folder):
                os.kill(number, signal.SIGKILL)
        return True

    def end_stuck_mpirun(self):
        """It is not what is tested, and a script that called it goes on."""
        now = time.monotonic()
        if now - self.looked < 1:
            return
        self.looked = now
        stuck = stuck_mpiruns(self.folder)
        if not stuck:
            self.last_moved = now
        elif now - self.last_moved > 20:
            self.told += "; mpirun stayed when all its processes had ended, and was ended"
            for number in stuck:
                os.kill(number, signal.SIGKILL)

    def await_(self, condition):
        """Until it holds, or the command has ended: what it gave. Not only what is there at once is looked for after the end."""
        while self.runs():
            if found := condition():
                return found
            time.sleep(0.005)
        return None

    def end(self):
        """Until it has ended, and all that it has started: mpirun does not wait for those that it kills. Returns itself."""
        self.await_(lambda: False)
        until = time.monotonic() + longest
        while left := living(self.folder):
            if time.monotonic() > until:
                self.killed += f"left processes behind:\n{self.told_of_processes()}"
                for number in left:
                    os.kill(number, signal.SIGKILL)
                break
            time.sleep(0.005)
        return self

    @staticmethod
    def text(file):
        return os.pread(file.fileno(), 1 << 24, 0).decode(errors="replace")

    @property
    def out(self):
        return self.text(self.output)

    @property
    def err(self):
        return self.text(self.errors)

    @property
    def code(self):
        return self.process.poll()

    def told_of_processes(self):
        lines = []
        for number in living(self.folder):
            rank = environment_of(number).get("OMPI_COMM_WORLD_RANK", "none")
            state = [line for line in read(f"/proc/{number}/status").splitlines() if line.startswith(("State", "Threads", "SigPnd", "ShdPnd", "SigBlk", "SigIgn"))]
            lines.append(f"  process {number}, rank {rank}: {shlex.join(read(f'/proc/{number}/cmdline').split(chr(0))[:-1])}\n    {'; '.join(state)}; in {read(f'/proc/{number}/wchan')}")
        return "\n".join(lines) or "  none"

    def __str__(self):
        """All that is known: for messages."""
        said = "\n".join(f"  {name}: {line}" for name, text in (("out", self.out), ("err", self.err)) for line in text.splitlines())
        return f"{shlex.join(self.arguments)}\n  exit code {self.code} after {time.monotonic() - self.begin:.1f} s{self.told} {self.killed}\n{said}"


def run(arguments, folder, env):
    return Job(arguments, folder, env).end()


def surroundings():
    """What of this machine may matter to MPI."""
    def of(path):
        try:
            room = os.statvfs(path)
            return f"{room.f_bavail * room.f_frsize >> 10} kB free, {'writable' if os.access(path, os.W_OK) else 'not writable'}"
        except OSError as error:
            return error.strerror
    try:
        name = f"{socket.gethostname()} is {socket.gethostbyname(socket.gethostname())}"
    except OSError as error:
        name = f"{socket.gethostname()}: {error}"
    status = [line.replace("\t", " ") for line in read("/proc/self/status").splitlines() if line.startswith(("Seccomp", "NoNewPrivs", "CapEff", "SigBlk", "SigIgn", "Cpus_allowed_list"))]
    version = subprocess.run(["mpirun", "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout.splitlines()
    variables = [f"{key}={value}" for key, value in sorted(os.environ.items()) if key.startswith(("OMPI", "PMIX", "PRTE", "UCX", "HWLOC", "SLURM")) or key in ("TMPDIR", "HOME", "PATH")]
    return "\n".join(("what is here:", f"  {' '.join(version[:1])}; {' '.join(os.uname())}", f"  user {os.getuid()}; load {read('/proc/loadavg').strip()}; {os.cpu_count()} cores",
                      f"  name: {name}", f"  /dev/shm: {of('/dev/shm')}; {tempfile.gettempdir()}: {of(tempfile.gettempdir())}",
                      f"  files: {resource.getrlimit(resource.RLIMIT_NOFILE)}; processes: {resource.getrlimit(resource.RLIMIT_NPROC)}", f"  {'; '.join(status)}",
                      "  network:", *(f"    {line}" for line in read("/proc/net/dev").splitlines()), *(f"  {line}" for line in variables)))
