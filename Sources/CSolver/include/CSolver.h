// The solver z3, loaded when it is first needed: the program starts without it, and runs where it is not installed.
#ifndef CSOLVER_H
#define CSOLVER_H

// Loads the library. NULL where it is loaded, otherwise why it is not.
const char *moonshelf_solver_load(void);

// A context of its own, used by one thread; NULL where there is no memory.
void *moonshelf_solver_make(void);

void moonshelf_solver_free(void *context);

// Carries out commands of SMT-LIB 2.6 and answers what they print, errors as (error "..."). The text is the context's,
// until the next command.
const char *moonshelf_solver_run(void *context, const char *commands);

// Stops the question at hand, from another thread: it is answered `unknown`.
void moonshelf_solver_interrupt(void *context);

#endif
