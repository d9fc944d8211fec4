/* Values of rows that may hold a secret, which Python then looks at and redacts: `amqp_traffic.variant_redaction`. What
   counts as one comes from `specs/secrets.toml`; here only the names of a VARIANT, and the texts in it, are compared
   with that. */
#ifndef AMQP_NATIVE_INGEST_SECRETS_H
#define AMQP_NATIVE_INGEST_SECRETS_H

#include "../src/octets.h"

typedef struct Secrets Secrets;

/* Takes (endings of names, whole names, endings of other names, beginnings and parts of texts), tuples of bytes in
   lower case without separators. */
Secrets *make_secrets(PyObject *description);
void free_secrets(Secrets *secrets);
int visit_secrets(const Secrets *secrets, visitproc visit, void *arg);
/* Whether a VARIANT may hold a secret. True, too, where it is not as this module writes it. */
bool may_hold_secret(Secrets *secrets, const Input *octets, const Input *metadata);

#endif
