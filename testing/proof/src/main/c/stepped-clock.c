/*
 * Moves the clock of a process by the seconds in a file: LD_PRELOAD this, and name the file in STEPPED_CLOCK. A wait
 * until a time of this clock lasts as long as without steps.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#define SINCE_1970 1000000000 /* a monotonic clock, which counts from the start of the machine, has fewer seconds */

static volatile long *ahead;

__attribute__((constructor)) static void open_file(void) {
    const char *name = getenv("STEPPED_CLOCK");
    int file = name ? open(name, O_RDONLY) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    ahead = page == MAP_FAILED ? 0 : page;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) {
        real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    }
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME && ahead) {
        time->tv_sec += *ahead;
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void) zone;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!real) {
        real = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
                dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    }
    struct timespec machines = *until;
    if (ahead && until->tv_sec > SINCE_1970) {
        machines.tv_sec -= *ahead;
    }
    return real(condition, mutex, &machines);
}
