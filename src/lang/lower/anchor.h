// The bodies and points that a statement about a part names.
#ifndef QDOT_LANG_LOWER_ANCHOR_H
#define QDOT_LANG_LOWER_ANCHOR_H

#include "lang/lower/lower.h"

// False after a message.
bool lower_body_name(Lowering *l, const Item *item, uint32_t *body);
// owner: the part whose first or second point (which) it is, or 0 where it has no name.
bool lower_anchor(Lowering *l, const Item *item, Symbol owner, int which, Anchor *out);
// Where a force acts: the point may move along the body with time.
bool lower_acting_point(Lowering *l, const Item *item, Anchor *out);
// Items 1 and 2 of the statement, which must be on two bodies.
bool lower_two_anchors(Lowering *l, const Statement *s, Symbol owner, Anchor *first,
                       Anchor *second);

#endif
