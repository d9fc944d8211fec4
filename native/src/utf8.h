/* Which octets are text. */
#ifndef AMQP_NATIVE_UTF8_H
#define AMQP_NATIVE_UTF8_H

#include "octets.h"

bool is_ascii(const Input *run);
/* Whether octets are UTF-8 as Python reads it: no surrogates, nothing longer than it must be (RFC 3629, 3 and 4). */
bool is_utf8(const Input *run);

#endif
