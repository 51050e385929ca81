"""Signs requests to object stores as botocore does. Reads a JSON list of requests, and writes the list of their signed headers
or addresses: of each {"authorization": …, "headers": {…}}, or {"url": …} where it says "seconds"."""
import base64
import datetime
import json
import sys
import types
import urllib.parse

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

moment = None


class Clock(datetime.datetime):
    @classmethod
    def utcnow(cls): return moment

    @classmethod
    def now(cls, tz=None): return moment.replace(tzinfo=tz)


# The module datetime with a clock that stands.
botocore.auth.datetime = types.SimpleNamespace(
    datetime=Clock, timezone=datetime.timezone, timedelta=datetime.timedelta)
# Later versions ask another place for the time.
if hasattr(botocore.auth, "get_current_datetime"):
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment


def encoded(text, safe=""):
    return urllib.parse.quote(text, safe=safe + "-_.~")


answers = []
for asked in json.load(sys.stdin):
    moment = datetime.datetime.utcfromtimestamp(asked["time"])
    url = asked["endpoint"] + "/" + encoded(asked["key"], "/") if asked["key"] else asked["endpoint"] + asked["end"]
    query = "&".join(encoded(name) + "=" + encoded(value) for name, value in asked["query"])
    request = AWSRequest(method=asked["method"], url=url + ("?" + query if query else ""),
                         headers=dict(asked["headers"]), data=base64.b64decode(asked["body"]))
    keys = Credentials(asked["accessKey"], asked["secretKey"], asked.get("token"))
    if "seconds" in asked:
        botocore.auth.S3SigV4QueryAuth(keys, "s3", asked["region"], asked["seconds"]).add_auth(request)
        answers.append({"url": request.url})
    else:
        botocore.auth.S3SigV4Auth(keys, "s3", asked["region"]).add_auth(request)
        answers.append({"authorization": request.headers["Authorization"],
                        "headers": {name.lower(): value for name, value in request.headers.items()}})
json.dump(answers, sys.stdout)
