"""Rounds of full disks: the coordinator's state, its database or the workers' cache is filled, and has room again."""
import time

from judge import instant, live_attempts, now
from rounds import Round

DISKS = ["state", "database", "cache"]
SHORTEST_SECONDS, LONGEST_SECONDS = 1, 8
NOTICE_LIMIT_SECONDS = 60


class FullDisks(Round):
    """One job during which one disk is full until the farm has noticed it, and for a while at least."""
    size = 1

    def __init__(self, farm, edit, rng, reference, number=0):
        super().__init__(farm, edit, rng, reference)
        self.disk = DISKS[number % len(DISKS)]
        # A worker notices a full cache by the next task that it writes: enough of them have to be left.
        self.moment = rng.randrange(0, 400 if self.disk == "cache" else 700)
        self.length = round(rng.uniform(SHORTEST_SECONDS, LONGEST_SECONDS), 1)

    def disturb(self):
        self.what.append(f"{self.disk} at {self.moment / 10} %, {self.length} s")
        job = self.farm.submit(self.edit)
        if not self.await_moment(job, self.moment):
            return self.missed("the job was over")
        if self.disk == "cache":
            self.await_rendering(job)
        at = now()
        self.farm.disks.fill(self.disk)
        try:
            seen = self.await_notice(job)
            time.sleep(max(0, self.length - (now() - at).total_seconds()))
        finally:
            self.farm.disks.free(self.disk)
            self.judge.outages.append((at, now()))
        if not seen:
            self.missed(f"the farm did not notice that {self.disk} is full")
        view, _ = self.judge.judge(job)
        if not view.get("finished") or instant(view["finished"]) <= at:
            self.missed("the job was over")
        elif seen:
            self.hits = 1
            self.what.append(seen)

    def await_rendering(self, job):
        """Waits until a worker has a task, whose result it will not be able to write."""
        deadline = time.monotonic() + 30
        while not live_attempts(self.farm.tasks(job)) and time.monotonic() < deadline:
            time.sleep(0.05)

    def await_notice(self, job):
        """What the farm says of the full disk; None if it says nothing in time."""
        deadline = time.monotonic() + NOTICE_LIMIT_SECONDS
        while time.monotonic() < deadline:
            if self.disk != "cache":
                shortage = self.farm.shortage()
                if shortage:
                    return f"/readyz {shortage[0]} {shortage[1]}"
            else:
                codes = {attempt["failure"]["code"] for task in self.farm.tasks(job) for attempt in task["attempts"]
                         if attempt.get("failure")}
                if codes:
                    return ", ".join(sorted(codes))
            time.sleep(0.1)
        return None

    def calm(self):
        self.farm.disks.free(self.disk)
