/**
 * Where a reader finds the documentation: in the installed package. It has no address on the web until the project has
 * one; then this constant becomes `https://…/blob/main/docs`.
 */
export const documents = "node_modules/effect-gopay/docs"

/** The page on the choice between GoPay's two APIs. */
export const versionsPage = `${documents}/guides/v3-or-v4.md`

/** A section of the page about errors, by its heading. */
export const errorsPage = (heading: string): string => `${documents}/errors.md#${heading.toLowerCase()}`
