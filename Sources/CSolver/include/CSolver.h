// The solver z3, loaded when it is first needed: the program starts without it, and runs where it is not installed.
#ifndef CSOLVER_H
#define CSOLVER_H

#include <stddef.h>
#include <stdint.h>

// A number or a condition; it is the solver's, and lasts as long as it.
typedef void *moonshelf_term;

// How terms are made of others.
enum moonshelf_operation {
    moonshelf_not,
    moonshelf_and,
    moonshelf_or,
    moonshelf_equal,
    moonshelf_at_most,
    moonshelf_sum,
    moonshelf_product,
    // Both round down for positive divisors.
    moonshelf_quotient,
    moonshelf_remainder,
    moonshelf_choice,
};

// Loads the library. NULL where it is loaded, otherwise why it is not.
const char *moonshelf_solver_load(void);

// A solver, used by one thread; NULL where there is no memory.
//
// effort: how many steps of z3's own one question may take; the same on every machine.
void *moonshelf_solver_make(unsigned effort);

void moonshelf_solver_free(void *solver);

moonshelf_term moonshelf_term_number(void *solver, int64_t value);
moonshelf_term moonshelf_term_truth(void *solver, int value);

// A variable: a truth value, or a number.
moonshelf_term moonshelf_term_variable(void *solver, const char *name, int is_truth);

moonshelf_term moonshelf_term_make(
    void *solver, enum moonshelf_operation operation, const moonshelf_term *parts, unsigned count);

// How many values that were found are kept at most.
enum { moonshelf_solver_kept = 32 };

// Whether facts can all hold: 1, 0, or -1 where that is not found out.
//
// names: of the first facts, each a truth value of its own. Where they cannot hold, those of names that are not needed
// for it become NULL.
// place: where the values are kept with which they hold, below moonshelf_solver_kept; what was kept there goes.
int moonshelf_solver_check(
    void *solver, const moonshelf_term *facts, unsigned count, moonshelf_term *names, unsigned named, unsigned place);

// Of the values that are kept at a place: that of a number, and whether a condition holds.
int64_t moonshelf_solver_number(void *solver, unsigned place, moonshelf_term term);
int moonshelf_solver_truth(void *solver, unsigned place, moonshelf_term term);

// What went wrong since the solver was made; NULL: nothing.
const char *moonshelf_solver_fault(void *solver);

#endif
