// One table of filters per variant; each ends with an entry whose name is NULL.

#ifndef FLOORS_REGISTRY_H
#define FLOORS_REGISTRY_H

#include "floors.h"

typedef struct {
  const char *name;
  floor_filter filter;
} floor_registered;

extern const floor_registered floor_fields_table[];
extern const floor_registered floor_slots_table[];
extern const floor_registered floor_hashed_table[];
extern const floor_registered floor_hashing_table[];
extern const floor_registered floor_inlined_table[];

#endif
