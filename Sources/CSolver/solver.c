#include "CSolver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <z3.h>

// The functions of z3 that are used, with the types that its header gives them.
#define FUNCTIONS(X)                                                                                                   \
    X(Z3_mk_config)                                                                                                    \
    X(Z3_del_config)                                                                                                   \
    X(Z3_mk_context)                                                                                                   \
    X(Z3_del_context)                                                                                                  \
    X(Z3_set_error_handler)                                                                                            \
    X(Z3_get_error_msg)                                                                                                \
    X(Z3_mk_string_symbol)                                                                                             \
    X(Z3_mk_int_sort)                                                                                                  \
    X(Z3_mk_bool_sort)                                                                                                 \
    X(Z3_mk_const)                                                                                                     \
    X(Z3_mk_int64)                                                                                                     \
    X(Z3_mk_true)                                                                                                      \
    X(Z3_mk_false)                                                                                                     \
    X(Z3_mk_not)                                                                                                       \
    X(Z3_mk_and)                                                                                                       \
    X(Z3_mk_or)                                                                                                        \
    X(Z3_mk_eq)                                                                                                        \
    X(Z3_mk_le)                                                                                                        \
    X(Z3_mk_add)                                                                                                       \
    X(Z3_mk_mul)                                                                                                       \
    X(Z3_mk_div)                                                                                                       \
    X(Z3_mk_mod)                                                                                                       \
    X(Z3_mk_ite)                                                                                                       \
    X(Z3_mk_params)                                                                                                    \
    X(Z3_params_inc_ref)                                                                                               \
    X(Z3_params_dec_ref)                                                                                               \
    X(Z3_params_set_uint)                                                                                              \
    X(Z3_mk_simple_solver)                                                                                             \
    X(Z3_solver_inc_ref)                                                                                               \
    X(Z3_solver_dec_ref)                                                                                               \
    X(Z3_solver_set_params)                                                                                            \
    X(Z3_solver_push)                                                                                                  \
    X(Z3_solver_pop)                                                                                                   \
    X(Z3_solver_assert)                                                                                                \
    X(Z3_solver_check_assumptions)                                                                                     \
    X(Z3_solver_get_unsat_core)                                                                                        \
    X(Z3_ast_vector_inc_ref)                                                                                           \
    X(Z3_ast_vector_dec_ref)                                                                                           \
    X(Z3_ast_vector_size)                                                                                              \
    X(Z3_ast_vector_get)                                                                                               \
    X(Z3_is_eq_ast)                                                                                                    \
    X(Z3_mk_implies)                                                                                                   \
    X(Z3_solver_get_model)                                                                                             \
    X(Z3_model_inc_ref)                                                                                                \
    X(Z3_model_dec_ref)                                                                                                \
    X(Z3_model_eval)                                                                                                   \
    X(Z3_get_numeral_int64)                                                                                            \
    X(Z3_get_bool_value)

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

struct solver {
    Z3_context context;
    Z3_solver solver;
    // Values that were found; NULL: none yet.
    Z3_model models[moonshelf_solver_kept];
};

// Without one z3 ends the process. What went wrong, Z3_get_error_code says of the call at hand alone: it is kept here.
static _Thread_local const char *error;

static void keep(Z3_context context, Z3_error_code code) { error = p_Z3_get_error_msg(context, code); }

void *moonshelf_solver_make(unsigned effort) {
    if (moonshelf_solver_load()) return NULL;
    struct solver *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    error = NULL;
    Z3_config config = p_Z3_mk_config();
    // Terms are kept until the context ends.
    Z3_context context = self->context = p_Z3_mk_context(config);
    p_Z3_del_config(config);
    p_Z3_set_error_handler(context, keep);
    // The solver by increments: the tactics of the usual one begin anew with each question.
    self->solver = p_Z3_mk_simple_solver(context);
    p_Z3_solver_inc_ref(context, self->solver);
    Z3_params params = p_Z3_mk_params(context);
    p_Z3_params_inc_ref(context, params);
    p_Z3_params_set_uint(context, params, p_Z3_mk_string_symbol(context, "rlimit"), effort);
    p_Z3_solver_set_params(context, self->solver, params);
    p_Z3_params_dec_ref(context, params);
    return self;
}

void moonshelf_solver_free(void *solver) {
    struct solver *self = solver;
    if (!self) return;
    for (unsigned place = 0; place < moonshelf_solver_kept; place++)
        if (self->models[place]) p_Z3_model_dec_ref(self->context, self->models[place]);
    p_Z3_solver_dec_ref(self->context, self->solver);
    p_Z3_del_context(self->context);
    free(self);
}

moonshelf_term moonshelf_term_number(void *solver, int64_t value) {
    struct solver *self = solver;
    return p_Z3_mk_int64(self->context, value, p_Z3_mk_int_sort(self->context));
}

moonshelf_term moonshelf_term_truth(void *solver, int value) {
    struct solver *self = solver;
    return value ? p_Z3_mk_true(self->context) : p_Z3_mk_false(self->context);
}

moonshelf_term moonshelf_term_variable(void *solver, const char *name, int is_truth) {
    struct solver *self = solver;
    Z3_sort sort = is_truth ? p_Z3_mk_bool_sort(self->context) : p_Z3_mk_int_sort(self->context);
    return p_Z3_mk_const(self->context, p_Z3_mk_string_symbol(self->context, name), sort);
}

moonshelf_term moonshelf_term_make(
    void *solver, enum moonshelf_operation operation, const moonshelf_term *parts, unsigned count) {
    Z3_context context = ((struct solver *)solver)->context;
    Z3_ast const *terms = (Z3_ast const *)parts;
    switch (operation) {
    case moonshelf_not: return p_Z3_mk_not(context, terms[0]);
    case moonshelf_and: return p_Z3_mk_and(context, count, terms);
    case moonshelf_or: return p_Z3_mk_or(context, count, terms);
    case moonshelf_equal: return p_Z3_mk_eq(context, terms[0], terms[1]);
    case moonshelf_at_most: return p_Z3_mk_le(context, terms[0], terms[1]);
    case moonshelf_sum: return p_Z3_mk_add(context, count, terms);
    case moonshelf_product: return p_Z3_mk_mul(context, count, terms);
    case moonshelf_quotient: return p_Z3_mk_div(context, terms[0], terms[1]);
    case moonshelf_remainder: return p_Z3_mk_mod(context, terms[0], terms[1]);
    case moonshelf_choice: return p_Z3_mk_ite(context, terms[0], terms[1], terms[2]);
    }
    return NULL;
}

// Takes away the names that do not stand in what the solver needed.
static void keep_core(struct solver *self, moonshelf_term *names, unsigned named) {
    Z3_context context = self->context;
    Z3_ast_vector core = p_Z3_solver_get_unsat_core(context, self->solver);
    p_Z3_ast_vector_inc_ref(context, core);
    unsigned size = p_Z3_ast_vector_size(context, core);
    for (unsigned index = 0; index < named; index++) {
        int is_needed = 0;
        for (unsigned place = 0; place < size && !is_needed; place++)
            is_needed = p_Z3_is_eq_ast(context, (Z3_ast)names[index], p_Z3_ast_vector_get(context, core, place));
        if (!is_needed) names[index] = NULL;
    }
    p_Z3_ast_vector_dec_ref(context, core);
}

int moonshelf_solver_check(
    void *solver, const moonshelf_term *facts, unsigned count, moonshelf_term *names, unsigned named, unsigned place) {
    struct solver *self = solver;
    Z3_context context = self->context;
    p_Z3_solver_push(context, self->solver);
    for (unsigned index = 0; index < count; index++) {
        Z3_ast fact = (Z3_ast)facts[index];
        if (index < named) fact = p_Z3_mk_implies(context, (Z3_ast)names[index], fact);
        p_Z3_solver_assert(context, self->solver, fact);
    }
    Z3_lbool answer = p_Z3_solver_check_assumptions(context, self->solver, named, (Z3_ast const *)names);
    if (answer == Z3_L_TRUE) {
        Z3_model model = p_Z3_solver_get_model(context, self->solver);
        if (model) {
            p_Z3_model_inc_ref(context, model);
            if (self->models[place]) p_Z3_model_dec_ref(context, self->models[place]);
            self->models[place] = model;
        }
    } else if (answer == Z3_L_FALSE) {
        keep_core(self, names, named);
    }
    p_Z3_solver_pop(context, self->solver, 1);
    return answer == Z3_L_TRUE ? 1 : answer == Z3_L_FALSE ? 0 : -1;
}

static Z3_ast value(struct solver *self, unsigned place, moonshelf_term term) {
    Z3_ast found = NULL;
    Z3_model model = self->models[place];
    if (model && !p_Z3_model_eval(self->context, model, (Z3_ast)term, 1, &found)) return NULL;
    return found;
}

int64_t moonshelf_solver_number(void *solver, unsigned place, moonshelf_term term) {
    struct solver *self = solver;
    int64_t number = 0;
    Z3_ast found = value(self, place, term);
    if (found) p_Z3_get_numeral_int64(self->context, found, &number);
    return number;
}

int moonshelf_solver_truth(void *solver, unsigned place, moonshelf_term term) {
    struct solver *self = solver;
    Z3_ast found = value(self, place, term);
    return found && p_Z3_get_bool_value(self->context, found) == Z3_L_TRUE;
}

const char *moonshelf_solver_fault(void *solver) {
    (void)solver;
    return error;
}
