#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int32_t mutant_number = 0;
uint8_t *mutant_reached = NULL;

uint8_t *mutant_table(ptrdiff_t size) {
  void *table = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
  if (table == MAP_FAILED) abort();
  return table;
}

void mutant_note(uint8_t *row) { mutant_reached = row; }

static void limit(int resource, rlim_t most) {
  struct rlimit limits = {most, most};
  setrlimit(resource, &limits);
}

int32_t mutant_fork(int32_t number, int32_t seconds) {
  pid_t child = fork();
  if (child == 0) {
    mutant_number = number;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)seconds);
    limit(RLIMIT_DATA, (rlim_t)4 << 30);
    return MUTANT_CHILD;
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0) {
  }
  return child < 0 ? 127 : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

double mutant_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void mutant_end(void) { _exit(0); }

/// For unit tests, whose processes nobody forks: the environment says which mutant is switched on, or
/// which file, with a byte for each mutant, notes those that are reached. Children inherit it.
__attribute__((constructor)) static void mutant_from_environment(void) {
  const char *number = getenv("SWEXPR_MUTANT"), *path = getenv("SWEXPR_MUTANTS_REACHED");
  struct stat status;
  if (number || path) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_DATA, (rlim_t)4 << 30);
  }
  if (number) mutant_number = atoi(number);
  if (!path) return;
  int file = open(path, O_RDWR);
  if (file < 0 || fstat(file, &status) != 0) abort();
  void *table = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (table == MAP_FAILED) abort();
  mutant_note(table);
  mutant_number = MUTANT_NOTING;
}
