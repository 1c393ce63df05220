/* SPDX-License-Identifier: MIT */
/* What the second file gives the first. */
#ifndef OTHER_H
#define OTHER_H
extern int shared_total;
int other_bump(void);
#endif
