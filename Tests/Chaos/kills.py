"""Rounds of kills: SIGKILL at seeded moments, and ends at named crash points (docs/operations.md)."""
import os
import signal
import time

from farm import FarmLost, command_line, is_alive
from judge import Judge, instant, now
from rounds import STITCHING, Round

CRASH_POINTS = [("worker-0", "worker.upload"), ("coordinator", "job.stored"), ("coordinator", "artifact.published"),
                ("coordinator", "complete.before-commit"), ("coordinator", "complete.after-commit"),
                ("coordinator", "stitch.stored")]
CRASH_STATUS = 86
# A render process that was killed with SIGKILL looks like one that the kernel killed for want of memory.
CHILD_DEATHS = ("render_crashed", "render_out_of_memory")
VICTIMS = ["worker", "coordinator", "postgres", "child"]
# A task that stops the children of three workers is given up.
MOST_CHILDREN = 2
MOST_JOBS = 3
# A worker whose failures others make good three times is told to leave (docs/states.md): that is another worker's turn.
MOST_DEATHS_OF_A_WORKER = 2


class Kills(Round):
    """One job that is hit by some kills one after another, each at a moment of its progress.

    A job may be over before the last kill; then that kill is tried with another job."""

    def __init__(self, farm, edit, rng, reference, kills=4):
        super().__init__(farm, edit, rng, reference)
        victims = ["worker"] + [rng.choice(VICTIMS[:3]) for _ in range(kills - 1)]
        for place in rng.sample(range(kills), MOST_CHILDREN if kills > MOST_CHILDREN else 0):
            if rng.random() < 0.5:
                victims[place] = "child"
        moments = sorted(rng.randrange(20, 700) for _ in victims)
        self.plan = list(zip(victims, moments))
        if self.plan[-1][0] in ("coordinator", "postgres") and rng.random() < 0.5:
            self.plan[-1] = (self.plan[-1][0], STITCHING)
        self.crash = rng.choice(CRASH_POINTS) if rng.random() < 0.4 else None
        if self.crash:
            # After the join began workers have nothing to do.
            self.plan = [] if self.crash[1] == "stitch.stored" else self.plan[1:]
        self.size = len(self.plan) + (self.crash is not None)

    def disturb(self):
        farm = self.farm
        if self.crash:
            farm.replace(*self.crash)
        command = farm.submission(self.edit)
        crashed = self.await_crash(*self.crash) if self.crash else None
        status, job = farm.submitted(command)
        if status or not job:
            raise FarmLost(f"the submission ended with {status}")
        left = self.kill_and_judge(job, self.plan, crashed)
        for _ in range(MOST_JOBS - 1):
            if left and not self.problems:
                farm.forget_parts()
                self.judge = Judge(farm, self.reference, self.problems)
                left = self.kill_and_judge(farm.submit(self.edit), left)
        if left:
            self.missed(f"{MOST_JOBS} jobs were over before {left}")

    def kill_and_judge(self, job, plan, crashed=None):
        """Kills what is planned, and judges the job. Returns the part of the plan that did not hit the job."""
        done = [(None, crashed)] if crashed else []
        for kill in plan:
            at = self.kill(*kill, job)
            if not at:
                break
            done.append((kill, at))
        left = plan[len(done) - (crashed is not None):]
        view, _ = self.judge.judge(job)
        for kill, at in done:
            if view.get("finished") and instant(view["finished"]) > at:
                self.hits += 1
            elif kill:
                left = left + [kill]
            else:
                self.missed("the job was over at the crash point")
        return left

    def await_crash(self, victim, point):
        """Waits until the process ended itself at the crash point, and starts it again.
        Returns the moment of the end; None if the crash point was not reached."""
        self.what.append(point)
        process, deadline = self.farm.process(victim), time.monotonic() + 120
        while process.poll() is None:
            if time.monotonic() > deadline:
                self.missed(f"crash point {point} was not reached")
                return None
            time.sleep(0.02)
        at = now()
        if process.returncode != CRASH_STATUS:
            self.problems.append(f"crash point {point}: exit status {process.returncode}")
        self.start_again(victim, at)
        return at

    def start_again(self, victim, at):
        time.sleep(self.rng.uniform(0, 0.5))
        self.farm.restart(victim)
        if victim == "coordinator":
            self.judge.outages.append((at, self.await_ready()))
        else:
            self.judge.absences.append((victim.replace("worker", "chaos"), at, now()))

    def kill(self, victim, moment, job):
        """Kills the victim, which must be there. Returns the moment; None if the job is over before."""
        self.what.append(f"{victim} at {moment}")
        if not self.await_moment(job, moment):
            return None
        self.judge.note(self.farm.tasks(job))
        if victim == "worker":
            return self.kill_worker(job)
        if victim == "child":
            return self.kill_child(job)
        if victim == "postgres":
            return self.kill_postgres()
        process = self.farm.coordinator
        if process.poll() is not None:
            return self.missed(f"the coordinator had ended with {process.returncode}")
        at = now()
        process.kill()
        process.wait()
        self.start_again("coordinator", at)
        return at

    def kill_worker(self, job):
        processes = self.farm.workers
        number, tasks = self.hold_worker(job, self.shuffled_workers(), self.stop_worker,
                                         lambda number: processes[number].send_signal(signal.SIGCONT))
        if number is None:
            return None
        self.judge.note(tasks)
        return self.end_worker(number)

    def stop_worker(self, number):
        self.farm.workers[number].send_signal(signal.SIGSTOP)
        return True

    def end_worker(self, number):
        at = now()
        self.farm.workers[number].kill()
        self.farm.workers[number].wait()
        self.start_again(f"worker-{number}", at)
        return at

    def kill_child(self, job):
        """Kills a render process and sees its worker report that; one that had done its work is no hit.

        A worker that has lost MOST_DEATHS_OF_A_WORKER of them is killed itself, and only where no other has a task in
        hand."""
        held = {}
        deaths = self.farm.child_deaths

        def is_spared(number):
            return deaths[number] >= MOST_DEATHS_OF_A_WORKER

        def hold(number):
            if is_spared(number):
                return self.stop_worker(number)
            held[number] = self.farm.render_child(number)
            return held[number] is not None and send(held[number], signal.SIGSTOP)

        def release(number):
            if is_spared(number):
                self.farm.workers[number].send_signal(signal.SIGCONT)
            else:
                send(held[number], signal.SIGCONT)

        while True:
            number, tasks = self.hold_worker(job, sorted(self.shuffled_workers(), key=is_spared), hold, release)
            if number is None:
                return None
            if is_spared(number):
                self.judge.note(tasks)
                return self.end_worker(number)
            at = now()
            send(held[number], signal.SIGKILL)
            deaths[number] += 1
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline:
                tasks = self.farm.tasks(job)
                if any((attempt.get("failure") or {}).get("code") in CHILD_DEATHS and instant(attempt["ended"]) >= at
                       for task in tasks for attempt in task["attempts"]):
                    return at
                time.sleep(0.05)

    def kill_postgres(self):
        deadline = time.monotonic() + 30
        while not (pid := self.farm.postmaster()):
            if time.monotonic() > deadline:
                return self.missed("PostgreSQL was down for 30 s")
            time.sleep(0.02)
        at = now()
        if not send(pid, signal.SIGKILL):
            return self.missed("PostgreSQL was gone")
        while is_alive(pid) and "postgres" in command_line(pid):
            time.sleep(0.01)
        self.judge.outages.append((at, self.await_ready()))
        return at

    def shuffled_workers(self):
        return self.rng.sample(range(len(self.farm.workers)), len(self.farm.workers))


def send(pid, number):
    """Sends a signal. Returns whether the process was there."""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False
