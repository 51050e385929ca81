"""One round: a job of the same edit that is disturbed, and then judged."""
import time

from farm import FINAL, FarmLost
from judge import Judge, instant, is_over, live_attempts, now

STITCHING = "stitching"


class Round:
    """What the kinds of rounds share. `run` returns the problems; `hits` counts the faults that were shown to hit."""

    def __init__(self, farm, edit, rng, reference):
        self.farm, self.edit, self.rng, self.reference = farm, edit, rng, reference
        self.problems = []
        self.judge = Judge(farm, reference, self.problems)
        self.hits, self.what = 0, []
        # What the kind of round counts beside its hits, for the report.
        self.counts = {}

    def run(self):
        self.farm.forget_parts()
        try:
            self.disturb()
        except FarmLost as lost:
            self.problems.append(str(lost))
        finally:
            self.calm()
        return self.problems

    def calm(self):
        """Ends every fault that still goes on."""

    def missed(self, why):
        self.problems.append(f"the fault hit nothing: {why}")

    def await_moment(self, job, moment):
        """Sleeps until the job has come so far: thousandths of its work, or the state `stitching`.
        Returns whether the job is not over yet."""
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            view = self.farm.get_patiently(f"/v1/jobs/{job}")
            if view["state"] in FINAL:
                return False
            if view["state"] == STITCHING or moment != STITCHING and view["permille"] >= moment:
                time.sleep(self.rng.uniform(0, 0.05 if moment == STITCHING else 0.3))
                return True
            time.sleep(0.01)
        raise FarmLost(f"job {job} did not come to {moment} within 300 s")

    def hold_worker(self, job, candidates, hold, release):
        """Stops a worker, or its render process, while it has a task in hand.

        `hold` stops the candidate and returns whether there was something to stop. It stays stopped while the API is
        asked, so that it does not end the task before the fault.
        Returns the candidate and the tasks then; no candidate if the job is over."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            for candidate in candidates:
                tasks = self.farm.tasks(job)
                if is_over(tasks):
                    return None, tasks
                if not self.is_at_work(candidate, tasks) or not hold(candidate):
                    continue
                # What was said before the stop is heard within this time.
                time.sleep(0.1)
                tasks = self.farm.tasks(job)
                if self.is_at_work(candidate, tasks):
                    return candidate, tasks
                release(candidate)
            time.sleep(0.01)
        raise FarmLost("no worker had a task in hand for 120 s")

    def is_at_work(self, number, tasks):
        """Whether the worker that runs now holds a task; one that was just started does not, whatever its name held."""
        return any(instant(attempt["started"]) > self.farm.started_at[number]
                   for attempt in live_attempts(tasks, f"chaos-{number}"))

    def await_ready(self, limit=60):
        """Waits until the farm is ready, and returns that moment.
        Throws FarmLost if that takes longer than `limit` seconds."""
        deadline = time.monotonic() + limit
        while self.farm.shortage():
            if time.monotonic() > deadline:
                raise FarmLost(f"the farm was not ready within {limit} s: {self.farm.shortage()}")
            time.sleep(0.05)
        return now()
