# PostgreSQL for docker/compose.yaml: Debian's own, on a cluster that the first start makes.
ARG RUN_BASE=localhost/debian:bookworm
FROM ${RUN_BASE}
RUN groupadd --system --gid 999 postgres && useradd --system --uid 999 --gid 999 --home-dir /data postgres \
    && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        postgresql-common >/dev/null \
    && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-15 >/dev/null \
    && rm -rf /var/lib/apt/lists/* && install -d -o 999 -g 999 /data
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
COPY docker/postgresql-start /usr/local/bin/postgresql-start
USER 999:999
VOLUME /data
STOPSIGNAL SIGINT
ENTRYPOINT ["/usr/local/bin/postgresql-start"]
