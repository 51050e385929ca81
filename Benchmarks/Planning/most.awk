# The most of what many runs of PlanningBench print, with the limits that a submission of 1 KiB is held to.
/^[0-9]+ submissions/ { submissions += $1; accepted += $(NF - 1) }
/^(steps|seconds|stored|memory): / { if ($2 + 0 > most[$1] + 0) { most[$1] = $2; line[$1] = $0 } }
END {
    print "planning " submissions " hostile submissions of at most 1 KiB, " accepted " accepted; the most that one cost:"
    print line["steps:"] ", limit 1500000"
    print line["seconds:"]
    print line["stored:"]
    print line["memory:"] ", limit 256 MiB"
    exit accepted < submissions / 10 || most["steps:"] > 1500000 || most["memory:"] > 256
}
