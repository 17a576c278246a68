/**
 * Text of others, for a terminal.
 */

/** The text without the characters that move the cursor, paint or ring; a question mark stands for each. */
// oxlint-disable-next-line no-control-regex -- that is what is meant
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")
