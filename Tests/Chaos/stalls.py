"""Rounds of stalls: SIGSTOP for a while, which may be longer than a lease, then SIGCONT."""
import math
import signal
import threading
import time

from farm import FarmLost, is_stopped
from judge import expired, instant, now
from kills import send
from rounds import Round

# The victims that are found through the API come first: it does not answer while the others are stopped.
VICTIMS = ["worker", "child", "coordinator", "postgres", "backend"]
SHORTEST_SECONDS, LONGEST_SECONDS = 1, 30
STOP_LIMIT_SECONDS = 5


class Stalls(Round):
    """One job during which some processes are stopped, each for a time of its own; the times may overlap."""

    def __init__(self, farm, edit, rng, reference, stalls=2):
        super().__init__(farm, edit, rng, reference)
        victims = sorted(rng.sample(VICTIMS, stalls), key=VICTIMS.index)
        # Each tenfold of time is as likely as the next: many about a lease's length, and some much longer.
        lengths = [math.exp(rng.uniform(math.log(SHORTEST_SECONDS), math.log(LONGEST_SECONDS))) for _ in victims]
        self.plan = [(victim, round(length, 1)) for victim, length in zip(victims, lengths)]
        self.moment = rng.randrange(20, 500)
        self.pauses = [rng.uniform(0, 3) for _ in victims]
        self.size = stalls
        self.threads, self.stopped = [], []
        self.ended = threading.Event()

    def disturb(self):
        job = self.farm.submit(self.edit)
        begun = []
        for (victim, length), pause in zip(self.plan, self.pauses):
            self.what.append(f"{victim} for {length} s")
            if begun:
                time.sleep(pause)
            elif not self.await_moment(job, self.moment):
                return self.missed("the job was over")
            found = self.stop(victim, job)
            if found:
                name, pids = found
                begun.append(self.begin(name, pids, length))
        for thread in self.threads:
            thread.join()
        view, tasks = self.judge.judge(job)
        for at in begun:
            if view.get("finished") and instant(view["finished"]) > at:
                self.hits += 1
            else:
                self.missed("the job was over")
        self.counts["attempts superseded"] = sum(attempt["state"] == "superseded" for _, attempt in expired(tasks))
        self.judge_lost(tasks)

    def stop(self, victim, job):
        """Stops the victim. Returns the name of the worker that cannot work meanwhile, None for the whole farm, and
        the processes; or nothing if there was nothing to stop."""
        farm = self.farm
        if victim in ("coordinator", "postgres", "backend"):
            pids = [farm.coordinator.pid] if victim == "coordinator" else self.postgres(victim)
            for pid in pids:
                if not send(pid, signal.SIGSTOP):
                    return self.missed(f"{victim} was gone")
            return None, pids
        held = {}

        def hold(number):
            held[number] = farm.workers[number].pid if victim == "worker" else farm.render_child(number)
            return held[number] is not None and send(held[number], signal.SIGSTOP)

        order = self.rng.sample(range(len(farm.workers)), len(farm.workers))
        number, tasks = self.hold_worker(job, order, hold, lambda number: send(held[number], signal.SIGCONT))
        if number is None:
            return self.missed(f"no {victim} was at work")
        self.judge.note(tasks)
        # A worker whose render process is stopped still renews its lease.
        return f"chaos-{number}" if victim == "worker" else "", [held[number]]

    def postgres(self, victim):
        """PostgreSQL's first process with one that serves a connection, or with all of them."""
        backends = self.farm.backends()
        if not backends:
            raise FarmLost("PostgreSQL serves no connection")
        return [self.farm.postmaster()] + ([self.rng.choice(backends)] if victim == "backend" else backends)

    def begin(self, name, pids, length):
        """Continues the processes after `length` seconds. Returns the moment at which the stall began."""
        at = now()
        self.stopped += pids
        # A process that waits for its disk stops when that has answered.
        deadline = time.monotonic() + STOP_LIMIT_SECONDS
        while not all(map(is_stopped, pids)):
            if time.monotonic() > deadline:
                self.missed(f"{[pid for pid in pids if not is_stopped(pid)]} did not stop")
                break
            time.sleep(0.01)

        def end():
            self.ended.wait(length)
            for pid in pids:
                send(pid, signal.SIGCONT)
            if name is None:
                self.judge.outages.append((at, now()))
            elif name:
                self.judge.absences.append((name, at, now()))

        thread = threading.Thread(target=end)
        thread.start()
        self.threads.append(thread)
        return at

    def judge_lost(self, tasks):
        """A worker that was stopped for longer than its lease came too late if its task was granted anew."""
        for task, attempt in expired(tasks):
            if attempt["state"] != "superseded":
                self.problems.append(f"task {task['position']}: an attempt without a lease is {attempt['state']}")

    def calm(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        for pid in self.stopped:
            send(pid, signal.SIGCONT)
