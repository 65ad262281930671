#ifndef SWEXPR_CEDITLINE_SHIM_H
#define SWEXPR_CEDITLINE_SHIM_H

#include <stdio.h>
#include <histedit.h>

// libedit's functions with `...`, which Swift does not import, one wrapper for each use. The
// emulation of readline, which has no such functions, is not used: after a command on a line that
// has outgrown its first buffer, it writes through a pointer to the freed buffer.

// Returns an editor on the terminal; null if there is not enough memory.
static inline EditLine *swexpr_el_init(const char *name) {
  return el_init(name, stdin, stdout, stderr);
}

static inline int swexpr_el_set_prompt(EditLine *editor, char *(*prompt)(EditLine *)) {
  return el_set(editor, EL_PROMPT, prompt);
}

static inline int swexpr_el_set_keys(EditLine *editor, const char *map) {
  return el_set(editor, EL_EDITOR, map);
}

static inline int swexpr_el_set_history(EditLine *editor, History *entries) {
  return el_set(editor, EL_HIST, history, entries);
}

// Sets the pointer that the functions called by the editor need.
static inline int swexpr_el_set_data(EditLine *editor, void *data) {
  return el_set(editor, EL_CLIENTDATA, data);
}

static inline void *swexpr_el_data(EditLine *editor) {
  void *data = NULL;
  return el_get(editor, EL_CLIENTDATA, &data) == 0 ? data : NULL;
}

// Names a function, so that keys can be bound to it.
static inline int swexpr_el_add_function(
    EditLine *editor, const char *name, const char *help,
    unsigned char (*function)(EditLine *, int)) {
  return el_set(editor, EL_ADDFN, name, help, function);
}

static inline int swexpr_el_bind(EditLine *editor, const char *key, const char *function) {
  return el_set(editor, EL_BIND, key, function, NULL);
}

// Sets up the terminal for reading keys.
static inline int swexpr_el_prepare_terminal(EditLine *editor) {
  return el_set(editor, EL_PREP_TERM, 1);
}

static inline int swexpr_history_set_size(History *entries, int size) {
  HistEvent event;
  return history(entries, &event, H_SETSIZE, size);
}

// Leaves out an entry that repeats the one before.
static inline int swexpr_history_set_unique(History *entries) {
  HistEvent event;
  return history(entries, &event, H_SETUNIQUE, 1);
}

static inline int swexpr_history_enter(History *entries, const char *text) {
  HistEvent event;
  return history(entries, &event, H_ENTER, text);
}

static inline int swexpr_history_load(History *entries, const char *path) {
  HistEvent event;
  return history(entries, &event, H_LOAD, path);
}

static inline int swexpr_history_save(History *entries, const char *path) {
  HistEvent event;
  return history(entries, &event, H_SAVE, path);
}

#endif
