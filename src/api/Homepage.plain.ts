/**
 * The address of the project, as `package.json` has it.
 *
 * This module imports nothing.
 */
export const homepage = "https://github.com/effect-gopay/effect-gopay"
