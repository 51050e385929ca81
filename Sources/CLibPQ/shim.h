#ifndef CUTFARM_CLIBPQ_SHIM_H
#define CUTFARM_CLIBPQ_SHIM_H

#include <libpq-fe.h>
#include <spawn.h>
#include <unistd.h>

// Field codes of PQresultErrorField are character macros, which Swift does not import as Int32.
static const int cut_pq_sqlstate = PG_DIAG_SQLSTATE;
static const int cut_pq_message = PG_DIAG_MESSAGE_PRIMARY;
static const int cut_pq_detail = PG_DIAG_MESSAGE_DETAIL;
static const int cut_pq_hint = PG_DIAG_MESSAGE_HINT;
static const int cut_pq_constraint = PG_DIAG_CONSTRAINT_NAME;

// glibc declares these only under _GNU_SOURCE, which Swift's import of it does not set; the server needs them.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int pipe2(int ends[2], int flags);

#endif
