/**
 * The refusal of a password. Earlier gateways asked for one, and a shared one must not open because the option is
 * passed over.
 */

/** Why a gateway with a password does not start, and the remedy. */
export const passwordRefusal =
  "the local gateway asks for no password. Leave it out, and let a proxy ask for one before everything but /api/, /gw/ and /gp-gw/ (docs/local-gateway.md, Shared by several people)"
