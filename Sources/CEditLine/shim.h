#ifndef SWEXPR_CEDITLINE_SHIM_H
#define SWEXPR_CEDITLINE_SHIM_H

#include <stdio.h>
#include <editline/readline.h>

// Swift 6 refuses mutable C globals, so that they are reached through functions.
static inline int swexpr_history_length(void) { return history_length; }
static inline void swexpr_set_readline_name(const char *name) { rl_readline_name = name; }
static inline const char *swexpr_line_buffer(void) { return rl_line_buffer; }
// The number of bytes before the cursor.
static inline int swexpr_point(void) { return rl_point; }
// Ends the line that is being read; `readline` then answers NULL.
static inline void swexpr_abandon_line(void) { rl_done = 1; }
// Sets what `readline` calls when it has set up the terminal and before it shows the prompt.
static inline void swexpr_before_prompt(int (*function)(void)) {
  // The type of the hook differs between versions of libedit.
  rl_pre_input_hook = (__typeof__(rl_pre_input_hook))function;
}

#endif
