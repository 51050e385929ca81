import Foundation
import TestSupport
import Testing

/// A shared library that is loaded before the C library (ld.so(8), `LD_PRELOAD`) and notes the calls that make files
/// durable, in their order, beside the answers that the process begins to send.
struct CallRecorder {
    /// A call of the process, as it began or as it ended without an error.
    struct Call: Equatable, CustomStringConvertible {
        /// `sync`, `synced`, `rename`, `renamed` or `answer`.
        let name: String
        /// The file or folder, or the first line of the answer.
        let subject: String
        /// The new name of what is renamed; empty for other calls.
        let target: String

        var description: String { "\(name) \(subject) \(target)" }
    }

    private let library: String
    private let log: String

    /// Compiles the library into `folder`.
    /// - Throws: an error with what the compiler says.
    init(in folder: TemporaryFolder) async throws {
        (library, log) = (folder.path("recorder.so"), folder.path("calls"))
        try Data(Self.source.utf8).write(to: URL(fileURLWithPath: folder.path("recorder.c")))
        let words = ["-shared", "-fPIC", "-O1", "-o", library, folder.path("recorder.c")]
        let outcome = try await Shell.run("cc", words)
        try #require(outcome.exitCode == 0, "cc: \(outcome.errors)")
    }

    /// The words of a command line that starts `program` with the library. The processes that it starts itself are
    /// without it.
    func recording(_ program: String, _ arguments: [String]) -> (program: String, arguments: [String]) {
        ("/usr/bin/env", ["LD_PRELOAD=" + library, "CALL_LOG=" + log, program] + arguments)
    }

    /// What was recorded so far.
    func calls() throws -> [Call] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Call(name: fields[0], subject: fields[1], target: fields.count > 2 ? fields[2] : "")
        }
    }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <limits.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/uio.h>
        #include <unistd.h>

        #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

        static int journal = -1;

        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("CALL_LOG");
            if (path) journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
            unsetenv("LD_PRELOAD");
        }

        static void note(const char *name, const char *subject, const char *target) {
            char line[3 * PATH_MAX];
            int length = snprintf(line, sizeof line, "%s\t%s\t%s\n", name, subject, target);
            if (NEXT(write)(journal, line, length) != length) abort();
        }

        static void note_file(const char *name, int file) {
            char link[64], path[PATH_MAX];
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path - 1);
            path[length < 0 ? 0 : length] = 0;
            note(name, path, "");
        }

        int fsync(int file) {
            note_file("sync", file);
            int code = NEXT(fsync)(file);
            if (code == 0) note_file("synced", file);
            return code;
        }

        int fdatasync(int file) {
            note_file("sync", file);
            int code = NEXT(fdatasync)(file);
            if (code == 0) note_file("synced", file);
            return code;
        }

        int rename(const char *from, const char *to) {
            note("rename", from, to);
            int code = NEXT(rename)(from, to);
            if (code == 0) note("renamed", from, to);
            return code;
        }

        int renameat2(int old, const char *from, int new, const char *to, unsigned int flags) {
            note("rename", from, to);
            int code = NEXT(renameat2)(old, from, new, to, flags);
            if (code == 0) note("renamed", from, to);
            return code;
        }

        static void note_answer(const void *bytes, size_t count) {
            const char *end = count > 9 && memcmp(bytes, "HTTP/1.1 ", 9) == 0 ? memchr(bytes, '\r', count) : NULL;
            char line[128];
            if (!end) return;
            snprintf(line, sizeof line, "%.*s", (int)(end - (const char *)bytes), (const char *)bytes);
            note("answer", line, "");
        }

        ssize_t write(int file, const void *bytes, size_t count) {
            note_answer(bytes, count);
            return NEXT(write)(file, bytes, count);
        }

        ssize_t send(int file, const void *bytes, size_t count, int flags) {
            note_answer(bytes, count);
            return NEXT(send)(file, bytes, count, flags);
        }

        ssize_t writev(int file, const struct iovec *parts, int count) {
            if (count > 0) note_answer(parts[0].iov_base, parts[0].iov_len);
            return NEXT(writev)(file, parts, count);
        }

        ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
            if (message->msg_iovlen > 0) note_answer(message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
            return NEXT(sendmsg)(file, message, flags);
        }
        """#
}
