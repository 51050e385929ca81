"""What holds after every round, whatever happened in it."""
import hashlib
import json
import time
from datetime import datetime, timedelta, timezone

from farm import FINAL

RECOVERY_LIMIT_SECONDS = 10
HEALTH_LIMIT_SECONDS = 1


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def now():
    return datetime.now(timezone.utc)


def seconds(span):
    return span.total_seconds()


def is_over(tasks):
    """Whether nothing is left to be done of these tasks."""
    return all(task["state"] in FINAL for task in tasks)


def live_attempts(tasks, worker=None):
    """The live attempts at these tasks; only those of the worker of this name, if one is given."""
    return [attempt for task in tasks for attempt in task["attempts"]
            if attempt["state"] == "live" and worker in (None, attempt["workerName"])]


def expired(tasks):
    """Pairs of a task and an attempt at it that was superseded because its lease ended."""
    return [(task, attempt) for task in tasks for attempt in task["attempts"]
            if (attempt.get("failure") or {}).get("code") == "lease_expired"]


class Judge:
    """Judges one job that was disturbed; adds sentences about what is not as it should be to `problems`."""

    def __init__(self, farm, reference, problems):
        self.farm, self.reference, self.problems = farm, reference, problems
        self.began = now()
        # Tasks that were seen completed, with the number of attempts that they had then.
        self.done = {}
        # Spans in which the coordinator or PostgreSQL could not work, because of the round.
        self.outages = []
        # Spans in which a worker, by its name, could not work.
        self.absences = []
        # Submissions whose client gave up without an answer; each may have stored a job.
        self.unanswered = 0

    def note(self, tasks):
        """Remembers the tasks that are completed by now: none of them may be tried again."""
        for task in tasks:
            if task["state"] == "completed":
                self.done[task["id"]] = len(task["attempts"])

    def judge(self, job, limit=180):
        view = self.farm.wait(job, limit)
        tasks = self.farm.tasks(job)
        self.judge_health()
        self.judge_processes()
        if view["state"] != "completed":
            self.problems.append(f"job {job} ended {view['state']}: {view.get('failure')}")
            return view, tasks
        self.judge_movie(view)
        for task in tasks:
            self.judge_task(task)
        self.judge_events(job, tasks)
        self.judge_jobs(job)
        self.judge_recovery(tasks)
        self.judge_workers()
        return view, tasks

    def judge_movie(self, view):
        if view["artifact"] != self.reference:
            self.problems.append(f"other bytes: {view['artifact']}")
        with open(self.farm.stored(view["artifact"]), "rb") as file:
            found = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
        if found != view["artifact"]:
            self.problems.append(f"the stored movie has the digest {found}, not {view['artifact']}")

    def judge_task(self, task):
        name = f"task {task['position']}"
        if task["state"] != "completed":
            self.problems.append(f"{name} is {task['state']}")
        if len(task["attempts"]) != self.done.get(task["id"], len(task["attempts"])):
            self.problems.append(f"{name} was done and was tried again")
        accepted = [attempt for attempt in task["attempts"] if attempt["state"] == "completed"]
        if len(accepted) != 1:
            self.problems.append(f"{name} was accepted {len(accepted)} times")
        if live_attempts([task]):
            self.problems.append(f"{name} still has a live attempt")
        if not task.get("artifact") or not self.farm.stored(task["artifact"]).exists():
            self.problems.append(f"{name} was not uploaded")

    def judge_events(self, job, tasks):
        """The job's events name the acceptance of each task exactly once."""
        counts = {}
        with self.farm.open(f"/v1/jobs/{job}/events", timeout=20) as answer:
            for line in answer:
                if line.startswith(b"data:"):
                    event = json.loads(line[5:])
                    if event.get("task") and event["state"] == "completed":
                        counts[event["task"]] = counts.get(event["task"], 0) + 1
        for task in tasks:
            if counts.get(task["id"], 0) != 1:
                self.problems.append(f"task {task['position']} has {counts.get(task['id'], 0)} events of acceptance")

    def judge_jobs(self, job):
        """One submission made one job."""
        since = [view["id"] for view in self.farm.get_patiently("/v1/jobs?limit=10")
                 if instant(view["created"]) >= self.began - timedelta(milliseconds=1)]
        if job not in since:
            self.problems.append(f"job {job} was acknowledged and is not listed")
        if len(since) > 1 + self.unanswered:
            self.problems.append(f"one submission made the jobs {', '.join(since)}")

    def judge_recovery(self, tasks):
        """A task that lost its worker runs again in time, unless no worker had a free slot for it.

        The time in which the coordinator or PostgreSQL could not work because of the round does not count."""
        for task, attempt in expired(tasks):
            absent = [begin for name, begin, _ in self.absences if name == attempt["workerName"]
                      and begin >= instant(attempt["started"])]
            starts = [instant(other["started"]) for other in task["attempts"]]
            later = [start for start in starts if start > instant(attempt["started"])]
            if not absent or not later:
                continue
            lost, again = min(absent), min(later)
            due = lost + timedelta(seconds=RECOVERY_LIMIT_SECONDS)
            for begin, end in sorted(self.outages):
                if begin < due and end > lost:
                    due += end - max(begin, lost)
            if again > due and self.has_idle_worker(tasks, due, again):
                wait, name = seconds(again - lost), attempt["workerName"]
                self.problems.append(f"task {task['position']} ran again {wait:.1f} s after {name} was lost")

    def has_idle_worker(self, tasks, begin, end):
        """Whether a worker that was there could have taken a task for a second between the two moments."""
        for name in self.farm.names():
            taken = [(instant(a["started"]), instant(a["ended"])) for task in tasks for a in task["attempts"]
                     if a["workerName"] == name and a.get("ended")]
            # A worker that was killed or stopped needs a while before it asks again.
            taken += [(first, last + timedelta(seconds=2)) for its, first, last in self.absences if its == name]
            moment = begin
            for first, last in sorted(taken):
                if seconds(min(first, end) - moment) > 1:
                    return True
                moment = max(moment, last)
            if seconds(end - moment) > 1:
                return True
        return False

    def judge_health(self):
        began = time.monotonic()
        try:
            self.farm.get("/healthz", timeout=HEALTH_LIMIT_SECONDS)
        except OSError as error:
            self.problems.append(f"/healthz did not answer in {time.monotonic() - began:.1f} s: {error}")

    def judge_processes(self):
        """Nothing ended by itself: what the round killed it has started again."""
        for victim in ["coordinator"] + [f"worker-{number}" for number in range(len(self.farm.workers))]:
            status = self.farm.process(victim).poll()
            if status is not None:
                self.problems.append(f"{victim} ended by itself with status {status}")

    def judge_workers(self):
        """Every worker is known to the coordinator and takes work."""
        deadline = time.monotonic() + 30
        while True:
            views = [view for view in self.farm.get_patiently("/v1/workers") if view["secondsSinceSeen"] < 5]
            working = {view["name"] for view in views if not view["isDraining"]}
            missing = [name for name in self.farm.names() if name not in working]
            if not missing:
                return
            if time.monotonic() > deadline:
                self.problems.append(f"{', '.join(missing)} takes no work any more: {views}")
                return
            time.sleep(0.2)
