#ifndef SWEXPR_CEDITLINE_SHIM_H
#define SWEXPR_CEDITLINE_SHIM_H

#include <stdio.h>
#include <editline/readline.h>

// Swift 6 refuses mutable C globals, so that they are reached through functions.
static inline int swexpr_history_length(void) { return history_length; }
static inline void swexpr_set_completion(rl_completion_func_t *function) {
  rl_attempted_completion_function = function;
}

#endif
