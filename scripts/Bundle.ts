/** What a file of the build imports, and the modules that it holds, with paths from the package's root. */
export interface Bundle {
  readonly imports: ReadonlyArray<{
    readonly path: string
    readonly isDynamic: boolean
    /** Whether it is no file of the same build. */
    readonly isExternal: boolean
  }>
  readonly modules: ReadonlyArray<string>
}

/** The files of a build, by their paths. */
export type Bundles = Readonly<Record<string, Bundle>>
