#include "CSolver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <z3.h>

// The functions of z3 that are used, with the types that its header gives them.
#define FUNCTIONS(X)                                                                                                   \
    X(Z3_mk_config)                                                                                                    \
    X(Z3_del_config)                                                                                                   \
    X(Z3_mk_context)                                                                                                   \
    X(Z3_del_context)                                                                                                  \
    X(Z3_set_error_handler)                                                                                            \
    X(Z3_eval_smtlib2_string)                                                                                          \
    X(Z3_interrupt)

#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)

static const char *fault = "not loaded";
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // The name that Debian's libz3-4 installs; nothing of it is seen by other libraries.
    void *library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fault = "libz3.so.4 is not there";
        return;
    }
#define FIND(name)                                                                                                     \
    p_##name = (__typeof__(&name))dlsym(library, #name);                                                               \
    if (!p_##name) {                                                                                                   \
        fault = "libz3.so.4 lacks " #name;                                                                             \
        return;                                                                                                        \
    }
    FUNCTIONS(FIND)
    fault = NULL;
}

const char *moonshelf_solver_load(void) {
    pthread_once(&once, load);
    return fault;
}

// Without one z3 ends the process. What went wrong stands in what the command printed.
static void ignore(Z3_context context, Z3_error_code code) {
    (void)context;
    (void)code;
}

void *moonshelf_solver_make(void) {
    if (moonshelf_solver_load()) return NULL;
    Z3_config config = p_Z3_mk_config();
    Z3_context context = p_Z3_mk_context(config);
    p_Z3_del_config(config);
    if (context) p_Z3_set_error_handler(context, ignore);
    return context;
}

void moonshelf_solver_free(void *context) {
    if (context) p_Z3_del_context(context);
}

const char *moonshelf_solver_run(void *context, const char *commands) {
    return p_Z3_eval_smtlib2_string(context, commands);
}

void moonshelf_solver_interrupt(void *context) {
    p_Z3_interrupt(context);
}
