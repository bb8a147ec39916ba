// Shuts a process in: whatever a decoder is made to do, it can use memory, read its input, write its output and end.
#define _GNU_SOURCE
#include "pictures.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the numbers of system calls are not known here"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The lower half of an argument, which is what the kernel reads of a descriptor and of flags; both architectures have it first.
#define LOAD_ARGUMENT(number) LOAD(args[number])
#define UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define UNLESS_SET(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skipped)
#define ALLOWED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define NONE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EBADF)
#define DEADLY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

#define CALL(name) UNLESS_EQUAL(SYS_##name, 1), ALLOWED
// Of descriptors one only. To others libraries write what they find remarkable: they are told that there are none.
#define CALL_ON(name, descriptor)                                                                                      \
    UNLESS_EQUAL(SYS_##name, 4), LOAD_ARGUMENT(0), UNLESS_EQUAL(descriptor, 1), ALLOWED, NONE
// Never memory that can be executed.
#define CALL_ON_DATA(name)                                                                                             \
    UNLESS_EQUAL(SYS_##name, 4), LOAD_ARGUMENT(2), UNLESS_SET(PROT_EXEC, 1), DEADLY, ALLOWED

static struct sock_filter filter[] = {
    LOAD(arch),
    UNLESS_EQUAL(ARCHITECTURE, 1),
    BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
    DEADLY,
    LOAD(nr),
    CALL_ON(read, STDIN_FILENO),
    CALL_ON(write, STDOUT_FILENO),
    // New memory of no file.
    UNLESS_EQUAL(SYS_mmap, 6),
    LOAD_ARGUMENT(2),
    UNLESS_SET(PROT_EXEC, 1),
    DEADLY,
    LOAD_ARGUMENT(3),
    UNLESS_SET(MAP_ANONYMOUS, 1),
    ALLOWED,
    LOAD(nr),
    CALL_ON_DATA(mprotect),
    CALL(munmap),
    CALL(mremap),
    CALL(brk),
    CALL(madvise),
    CALL(futex),
    CALL(rt_sigreturn),
    CALL(clock_gettime),
    CALL(getrandom),
    CALL(exit),
    CALL(exit_group),
    DEADLY,
};

// What a picture of the most pixels takes, with the buffers of its decoder, beyond what the process has.
static const rlim_t memory = (rlim_t)640 << 20;
static const rlim_t processor_seconds = 20;
// For a process whose parent is gone.
static const unsigned wall_seconds = 300;

static int limit(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    if (!file) return 0;
    int count = fscanf(file, "%lu", &pages);
    fclose(file);
    if (count != 1) return 0;
    const struct {
        int resource;
        rlim_t most;
    } limits[] = {
        {RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + memory},
        {RLIMIT_CPU, processor_seconds},
        {RLIMIT_NOFILE, 0},
        {RLIMIT_FSIZE, 1 << 20},
        {RLIMIT_CORE, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit both = {limits[i].most, limits[i].most};
        if (setrlimit((__rlimit_resource_t)limits[i].resource, &both)) return 0;
    }
    alarm(wall_seconds);
    return 1;
}

int moonshelf_seal(void) {
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (!limit()) return 0;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
    // All threads of the process.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}
