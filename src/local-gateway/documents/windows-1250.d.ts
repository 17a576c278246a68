/** The package has declarations, but its `exports` hide them. */
declare module "windows-1250" {
  /** A code for each UTF-16 unit: its byte, or 65533 if the encoding has none. */
  export const encode: (text: string, options: { readonly mode: "replacement" }) => Uint16Array
}
