/* SPDX-License-Identifier: MIT */
/* Annotations that prove C programs safe, one thread at a time, and their judge.
 *
 * An annotation says for each thread with what argument it starts; for each
 * object that several threads use which lock protects it, or which thread has it
 * to itself; for cells of such objects which values they have whenever nobody
 * who may change them is at work; and for the heads of loops what registers and
 * memory a thread may have there, with which locks in its hands.
 *
 * The judge follows each thread from its start and from every place of the
 * annotation, along all edges up to the next such place, with small sets of
 * values (value.h), and asks that nothing leads out of what is written down. What
 * others do to a thread is in what the cells may contain, since their writes were
 * asked to stay in it. It never iterates: it says yes or no. docs/evidence.md has
 * the rules and the reason why they suffice.
 *
 * Making an annotation is the same walk, with what leads out of it added (find.c,
 * print.c: not part of the judge). With the engines it shares the code graph
 * (model/code.h) and what is in base/, no evaluator, no table of the library and
 * no locks; `make check` looks at the symbols of both. */
#ifndef HD_CHECK_NOTES_H
#define HD_CHECK_NOTES_H

#include "base/run.h"
#include "model/code.h"
#include "model/property.h"

typedef struct hd_annotation hd_annotation;

/* An annotation that proves what it can of `wanted` (assert, race, deadlock are
 * what it knows of): NULL, with a reason in `why`, when there is none. */
hd_annotation *hd_annotation_find(const hd_code *code, hd_properties wanted,
                                  hd_run *run, hd_str *why);
void hd_annotation_delete(hd_annotation *notes);

/* What it says it proves: what was wanted, or read. */
hd_properties hd_annotation_claims(const hd_annotation *notes);
void hd_annotation_claim(hd_annotation *notes, hd_properties claims);

/* What the judge went through. */
typedef struct {
  size_t size;                 /* of what it speaks: threads, cells, places */
  size_t threads, places;      /* followed from there */
  size_t steps;                /* states that were left */
  size_t locations, reached;   /* of all functions; somebody came there */
  size_t assertions, defended; /* calls that fail; … from before them */
} hd_walked;

/* The properties that the annotation proves; 0, with a reason in `why`, when it
 * is not inductive. */
hd_properties hd_annotation_judge(hd_annotation *notes, hd_properties asked,
                                  hd_run *run, hd_walked *walked, hd_str *why);
/* Those that annotations can prove. */
#define HD_ANNOTATION_KNOWN                                                    \
  ((hd_properties)1 << HD_PROPERTY_ASSERT |                                    \
   (hd_properties)1 << HD_PROPERTY_RACE |                                      \
   (hd_properties)1 << HD_PROPERTY_DEADLOCK)
#define HD_ANNOTATION_FIRST_LINE "heddle annotation 2"

/* The text form; `program` names the code graph. */
void hd_annotation_print(hd_str *out, const hd_annotation *notes,
                         uint64_t program);
/* NULL, with a sentence in `why` that names the line, when it is not one, or of
 * another program. */
hd_annotation *hd_annotation_parse(const char *text, const hd_code *code,
                                   uint64_t program, hd_run *run, hd_str *why);

#endif
