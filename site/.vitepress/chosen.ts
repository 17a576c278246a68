/**
 * Which pages the site has: all, or those that `SITE_PAGES` names, as `index errors guides/refunds`, for who needs no others.
 */
const named = process.env["SITE_PAGES"]?.split(" ")

export const isWhole = named === undefined

/** Whether a file of the contents, such as `errors.md`, is a page. */
export const isChosen = (file: string): boolean => named?.includes(file.replace(/\.md$/, "")) ?? true
