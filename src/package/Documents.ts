/**
 * Where a reader finds the documents: in the installed package. They have no address on the web before the project has one
 * of its own; then this constant becomes `https://…/blob/main/docs`.
 */
export const documents = "node_modules/effect-gopay/docs"

/** The page on the choice between GoPay's two APIs. */
export const versionsPage = `${documents}/guides/v3-or-v4.md`

/** A section of the page about errors, by its heading. */
export const errorsPage = (heading: string): string => `${documents}/errors.md#${heading.toLowerCase()}`
