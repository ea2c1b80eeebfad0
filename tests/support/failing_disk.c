/* A disk that fails: preloaded into a process, it lets system calls on some files fail while a certain file exists.

   FAILING_CALL   sync (fsync and fdatasync) or write (every call that needs room on the disk)
   FAILING_NAME   what is in the paths of the files that it is about
   FAILING_WHEN   the file that must exist
   FAILING_TIMES  how often it fails, 0: always
   FAILING_ERRNO  the number of the error */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static int failed;

static int is_armed(const char *call)
{
    const char *when = getenv("FAILING_WHEN"), *wanted = getenv("FAILING_CALL");
    const char *times = getenv("FAILING_TIMES");
    if (!when || !wanted || strcmp(wanted, call) || access(when, F_OK))
        return 0;
    return !times || !atoi(times) || failed < atoi(times);
}

static int fails(int fd, const char *call)
{
    char link[64], name[PATH_MAX];
    const char *part = getenv("FAILING_NAME"), *number = getenv("FAILING_ERRNO");
    int kept = errno;
    ssize_t length;
    if (!is_armed(call)) {
        errno = kept;
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, name, sizeof name - 1);
    name[length < 0 ? 0 : length] = 0;
    if (!part || !strstr(name, part)) {
        errno = kept;
        return 0;
    }
    failed++;
    errno = number ? atoi(number) : EIO;
    return 1;
}

#define THE_REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int fsync(int fd) { THE_REAL(fsync); return fails(fd, "sync") ? -1 : real(fd); }
int fdatasync(int fd) { THE_REAL(fdatasync); return fails(fd, "sync") ? -1 : real(fd); }
ssize_t write(int fd, const void *from, size_t count) { THE_REAL(write); return fails(fd, "write") ? -1 : real(fd, from, count); }
ssize_t pwrite(int fd, const void *from, size_t count, off_t at) { THE_REAL(pwrite); return fails(fd, "write") ? -1 : real(fd, from, count, at); }
ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at) { THE_REAL(pwrite64); return fails(fd, "write") ? -1 : real(fd, from, count, at); }
ssize_t writev(int fd, const struct iovec *from, int count) { THE_REAL(writev); return fails(fd, "write") ? -1 : real(fd, from, count); }
int posix_fallocate(int fd, off_t at, off_t length) { THE_REAL(posix_fallocate); return fails(fd, "write") ? errno : real(fd, at, length); }
int posix_fallocate64(int fd, off64_t at, off64_t length) { THE_REAL(posix_fallocate64); return fails(fd, "write") ? errno : real(fd, at, length); }

static void without_room(struct statvfs *found)
{
    const char *number = getenv("FAILING_ERRNO");
    if (is_armed("write") && number && atoi(number) == ENOSPC)
        found->f_bavail = found->f_bfree = 0;
}

int statvfs(const char *path, struct statvfs *found)
{
    THE_REAL(statvfs);
    int answer = real(path, found);
    without_room(found);
    return answer;
}

int statvfs64(const char *path, struct statvfs64 *found)
{
    THE_REAL(statvfs64);
    int answer = real(path, found);
    without_room((struct statvfs *)found);
    return answer;
}
