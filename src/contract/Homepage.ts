/**
 * The address of the project, as `package.json` has it.
 */
export const homepage = "https://github.com/effect-gopay/effect-gopay"

/** The address of the guide to the choice between GoPay's two APIs. */
export const versionsPage = `${homepage}/blob/main/docs/guides/v3-or-v4.md`

/** The address of a section of the page about errors, by its heading. */
export const errorsPage = (heading: string): string => `${homepage}/blob/main/docs/errors.md#${heading.toLowerCase()}`
