#include <libpq-fe.h>

// Character constants, which Swift does not import.
static const int postgres_sqlstate = PG_DIAG_SQLSTATE;
static const int postgres_primary_message = PG_DIAG_MESSAGE_PRIMARY;
