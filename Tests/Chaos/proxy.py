"""Rounds through a proxy that stalls, cuts, replays and reorders what workers, and the client in some, say."""
from farm import FarmLost
from rounds import Round

LEAST_PROBABILITY, GREATEST_PROBABILITY = 0.1, 0.4
# `cutfarm submit` gives up with this status if the coordinator did not answer for 20 s.
UNREACHABLE = 5
SUBMISSIONS = 5


class Proxied(Round):
    """One job whose workers speak through the proxy, and whose submission does so in every second round."""
    size = 1

    def __init__(self, farm, edit, rng, reference, number=0):
        super().__init__(farm, edit, rng, reference)
        self.is_client_proxied = number % 2 == 1
        self.probability = rng.uniform(LEAST_PROBABILITY, GREATEST_PROBABILITY)

    def disturb(self):
        proxy = self.farm.proxy
        self.what.append(f"{self.probability * 100:.0f} % of requests")
        proxy.start_faults(self.rng, self.probability)
        job = self.submit(proxy.port if self.is_client_proxied else self.farm.port)
        self.farm.wait(job)
        self.counts = proxy.stop_faults()
        self.judge.judge(job)
        made = {fault: count for fault, count in self.counts.items() if count}
        self.what.append(", ".join(f"{count} {fault}" for fault, count in made.items()))
        if made:
            self.hits = 1
        else:
            self.missed("the proxy made no fault")

    def submit(self, port):
        """Submits until a job is acknowledged: a client that reached nobody may be called again."""
        for _ in range(SUBMISSIONS):
            status, job = self.farm.submitted(self.farm.submission(self.edit, port=port))
            if status == 0 and job:
                return job
            text = (self.farm.folder / "submit.log").read_text().strip()
            if status != UNREACHABLE:
                self.problems.append(f"the submission ended with {status}: {text}")
            self.judge.unanswered += 1
        raise FarmLost(f"{SUBMISSIONS} submissions were not acknowledged: {text}")

    def calm(self):
        self.farm.proxy.stop_faults()
