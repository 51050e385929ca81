"""A small object store with the interface of S3, for tests: OpenStack Swift of Debian's package python3-swift, all its servers
in this one process, which ends when its standard input is closed.

usage: object_server.py FOLDER (on a file system with user attributes)

Prints "port" and its port on 127.0.0.1. The accounts are test:tester with the key testing, and test:other with the key other, who may
not enter what the first one makes.
"""
import configparser
import logging
import os
import socket
import sys

import eventlet
import eventlet.tpool
import eventlet.wsgi
eventlet.patcher.monkey_patch()

from swift.common import storage_policy, utils
from swift.common.ring import RingBuilder
from paste.deploy import loadapp

folder = os.path.abspath(sys.argv[1])
disks = os.path.join(folder, "disks")
os.makedirs(os.path.join(disks, "disk"))


def log_to_file(_conf, _name, _to_console, _route, _format, logger, _adapted):
    """Swift's hook for logs, which go to the system's otherwise."""
    logger.addHandler(logging.FileHandler(os.path.join(folder, "log")))


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def listen():
    listener = eventlet.listen(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener, listener.getsockname()[1]


utils.SWIFT_CONF_FILE = write("swift.conf", """
[swift-hash]
swift_hash_path_prefix = tests
swift_hash_path_suffix = tests
[storage-policy:0]
name = one
default = yes
[swift-constraints]
max_file_size = 5368709122
""")
storage_policy._POLICIES = storage_policy.parse_storage_policies(
    (lambda conf: (conf.read(utils.SWIFT_CONF_FILE), conf)[1])(configparser.ConfigParser()))
utils.validate_hash_conf()

common = """
[DEFAULT]
swift_dir = %s
devices = %s
mount_check = false
disable_fallocate = true
log_custom_handlers = __main__.log_to_file
fallocate_reserve = 0
""" % (folder, disks)

servers = []
for kind in "account", "container", "object":
    listener, port = listen()
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "disk", "weight": 1.0,
                     "replication_ip": "127.0.0.1", "replication_port": port})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, kind + ".ring.gz"))
    path = write(kind + ".conf", common + "[app:main]\nuse = egg:swift#%s\n" % kind)
    servers.append((listener, path))

listener, port = listen()
path = write("proxy.conf", common + """
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = test-region-1
storage_domain = s3.localhost
check_bucket_owner = true
allow_multipart_uploads = true
min_segment_size = 1024
dns_compliant_bucket_names = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_other = other
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
min_segment_size = 1
[filter:dlo]
use = egg:swift#dlo
""")
# The proxy reads the rings, and so comes last.
servers.append((listener, path))



class Cache:
    """What the proxy keeps in memcached, kept here."""

    def __init__(self): self.values = {}
    def set(self, key, value, *_, **__): self.values[key] = value
    def get(self, key, *_, **__): return self.values.get(key)
    def delete(self, key, *_, **__): self.values.pop(key, None)


cache = Cache()


def serving(app):
    def serve(environment, start_response):
        environment["swift.cache"] = cache
        return app(environment, start_response)
    return serve


for listener, path in servers:
    app = serving(loadapp("config:" + path, name="main", global_conf={"log_name": "swift"}))
    log = open(os.path.join(folder, "log"), "a")
    eventlet.spawn(eventlet.wsgi.server, listener, app, log=log, log_output=True, protocol=eventlet.wsgi.HttpProtocol)


print("port", port, flush=True)
# A thread of its own waits for the end of the input, while this one serves.
eventlet.tpool.execute(sys.stdin.read)
os._exit(0)
