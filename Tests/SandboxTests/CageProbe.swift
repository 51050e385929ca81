import Foundation
import TestSupport

/// A small C program behind the real sandbox: it tries what its words say and prints each with the error it met.
struct CageProbe: Sendable {
    let path: String

    private static let program = #"""
        #define _GNU_SOURCE
        #include "CSandbox.h"
        #include <errno.h>
        #include <fcntl.h>
        #include <mqueue.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/msg.h>
        #include <sys/resource.h>
        #include <sys/sem.h>
        #include <sys/shm.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/wait.h>
        #include <sys/xattr.h>
        #include <unistd.h>

        static int close_if(int fd) { return fd < 0 ? -1 : close(fd); }
        static void *nothing(void *p) { return p; }
        static int thread(void) {
            pthread_t t;
            errno = pthread_create(&t, 0, nothing, 0);
            return errno ? -1 : pthread_join(t, 0);
        }
        static int run(char *path) { char *words[] = {path, 0}; return execv(path, words); }
        static int child(void) {
            pid_t p = fork();
            if (p == 0) _exit(0);
            return p > 0 && waitpid(p, 0, 0) > 0 ? 0 : -1;
        }

        static int removed(int id, long call) { return id < 0 ? -1 : syscall(call, id, IPC_RMID, 0); }
        static int removed_semaphores(int id) { return id < 0 ? -1 : semctl(id, 0, IPC_RMID); }
        static int queue(void) {
            mqd_t q = mq_open("/cutfarm-cage-probe", O_CREAT | O_RDWR, 0600, 0);
            return q == (mqd_t)-1 ? -1 : mq_unlink("/cutfarm-cage-probe");
        }
        // A gibibyte of addresses, none of which is used.
        static int map(void) {
            void *place = mmap(0, 1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            return place == MAP_FAILED ? -1 : munmap(place, 1 << 30);
        }
        static int limits(pid_t p) { struct rlimit l; return prlimit(p, RLIMIT_NOFILE, 0, &l); }
        // Of a file that is open for reading.
        static int change(const char *what, char *path) {
            int fd = open(path, O_RDONLY);
            if (fd < 0) return -1;
            int result = !strcmp(what, "open-mode") ? fchmod(fd, 0600)
                : !strcmp(what, "open-mode-2") ? syscall(452, fd, "", 0600, AT_EMPTY_PATH)
                : !strcmp(what, "open-owner") ? fchown(fd, -1, -1)
                : !strcmp(what, "open-attribute") ? fsetxattr(fd, "user.cutfarm", "x", 1, 0)
                : fremovexattr(fd, "user.cutfarm");
            int error = errno;
            close(fd);
            errno = error;
            return result;
        }

        static int attempt(const char *what, char *path) {
            if (!strcmp(what, "read")) return close_if(open(path, O_RDONLY));
            if (!strcmp(what, "spin")) for (;;) errno = 0;
            if (!strcmp(what, "fill")) {
                static char chunk[1 << 16];
                int fd = open(path, O_CREAT | O_WRONLY, 0600);
                while (write(fd, chunk, sizeof chunk) > 0) {}
                return -1;
            }
            if (!strcmp(what, "map")) return map();
            if (!strcmp(what, "write")) return close_if(open(path, O_WRONLY));
            if (!strcmp(what, "create")) return close_if(open(path, O_CREAT | O_WRONLY, 0600));
            if (!strcmp(what, "truncate")) return truncate(path, 0);
            if (!strcmp(what, "read-emptying")) return close_if(open(path, O_RDONLY | O_TRUNC));
            if (!strcmp(what, "odd-emptying")) return close_if(open(path, O_ACCMODE | O_TRUNC));
            if (!strcmp(what, "old-emptying")) return close_if(syscall(SYS_open, path, O_RDONLY | O_TRUNC, 0));
            if (!strcmp(what, "write-emptying")) return close_if(open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600));
            if (!strcmp(what, "hidden-flags")) {
                unsigned long how[3] = {O_RDONLY, 0, 0};
                return close_if(syscall(SYS_openat2, AT_FDCWD, path, how, sizeof how));
            }
            if (!strncmp(what, "open-", 5)) return change(what, path);
            if (!strcmp(what, "own-limits")) return limits(0) | limits(getpid());
            if (!strcmp(what, "limits")) return limits(getppid());
            if (!strcmp(what, "memory")) return removed(shmget(IPC_PRIVATE, 4096, 0600), SYS_shmctl);
            if (!strcmp(what, "messages")) return removed(msgget(IPC_PRIVATE, 0600), SYS_msgctl);
            if (!strcmp(what, "semaphore")) return removed_semaphores(semget(IPC_PRIVATE, 1, 0600));
            if (!strcmp(what, "queue")) return queue();
            if (!strcmp(what, "remove")) return unlink(path);
            if (!strcmp(what, "folder")) return mkdir(path, 0700);
            if (!strcmp(what, "link")) return symlink("/etc/passwd", path);
            if (!strcmp(what, "mode")) return chmod(path, 0777);
            if (!strcmp(what, "socket")) return close_if(socket(AF_INET, SOCK_STREAM, 0));
            if (!strcmp(what, "unix")) return close_if(socket(AF_UNIX, SOCK_STREAM, 0));
            if (!strcmp(what, "exec")) return run(path);
            if (!strcmp(what, "fork")) return child();
            if (!strcmp(what, "thread")) return thread();
            if (!strcmp(what, "signal")) return kill(getppid(), 0);
            if (!strcmp(what, "thread-signal")) return syscall(SYS_tgkill, getppid(), getppid(), 0);
            if (!strcmp(what, "own-signal")) return syscall(SYS_tgkill, getpid(), getpid(), 0);
            if (!strcmp(what, "environment")) {
                char name[64];
                snprintf(name, sizeof name, "/proc/%d/environ", getppid());
                return close_if(open(name, O_RDONLY));
            }
            errno = ENOTSUP;
            return -1;
        }

        int main(int argc, char **argv) {
            cut_sandbox_state state = cut_sandbox_status();
            printf("state %d\n", state.requested && state.limits && state.landlock && state.seccomp);
            int i = state.requested ? state.first_argument : 1;
            for (; i + 1 < argc; i += 2)
                printf("%s %d\n", argv[i], attempt(argv[i], argv[i + 1]) < 0 ? errno : 0), fflush(stdout);
        }
        """#

    struct Unbuildable: Error { let reason: String }

    init(in folder: TemporaryFolder) async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sandbox = root.appendingPathComponent("Sources/CSandbox").path
        let source = folder.path("probe.c")
        path = folder.path("probe")
        try Data(CageProbe.program.utf8).write(to: URL(fileURLWithPath: source))
        let words = ["-I", sandbox + "/include", source, sandbox + "/sandbox.c", "-pthread", "-lrt", "-o", path]
        let outcome = try await Shell.run("clang", words)
        guard outcome.exitCode == 0 else { throw Unbuildable(reason: outcome.errors) }
    }

    /// - Returns: the number of the signal that ended it over `what`; nil when none did.
    func end(_ what: String, _ path: String, limits: [String], writable: [String] = []) async throws -> Int32? {
        let cage = ["--sandbox"] + limits + writable.flatMap { ["--rw", $0] } + ["--"]
        let outcome = try await Shell.run("env", [self.path] + cage + [what, path])
        return outcome.exitCode > 128 ? outcome.exitCode - 128 : nil
    }

    /// - Parameter attempts: what, and with which path.
    /// - Returns: what → errno, 0 when it was allowed; `state` is 1 when the whole sandbox is on.
    func attempt(
        _ attempts: [(String, String)],
        readable: [String] = [],
        writable: [String] = [],
        limits: [String] = [],
        caged: Bool = true
    ) async throws -> [String: Int32] {
        let paths = readable.flatMap { ["--ro", $0] } + writable.flatMap { ["--rw", $0] }
        let cage = ["--sandbox"] + limits + paths + ["--"]
        let outcome = try await Shell.run("env", [path] + (caged ? cage : []) + attempts.flatMap { [$0.0, $0.1] })
        var results: [String: Int32] = [:]
        for line in outcome.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            results[String(words[0])] = Int32(words[1])
        }
        return results
    }
}
