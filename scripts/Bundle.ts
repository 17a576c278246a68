/** The imports of a built file, and the modules that it contains, with paths from the package's root. */
export interface Bundle {
  readonly imports: ReadonlyArray<{
    readonly path: string
    readonly isDynamic: boolean
    /** Whether it is not a file of the same build. */
    readonly isExternal: boolean
  }>
  readonly modules: ReadonlyArray<string>
}

/** The files of a build, by their paths. */
export type Bundles = Readonly<Record<string, Bundle>>
