/**
 * What the parts of the dashboard share. Types only.
 */
import type { DashboardCatalogue } from "../DashboardCatalogue.js"
import type { State } from "./controlResponses.js"

/** What every part of the page can use. */
export interface Page {
  /** What the page knows of settings and codes without asking the control API. */
  readonly catalogue: DashboardCatalogue
  /** Goes up when all that was read may be wrong: the gateway was gone and is back, or has begun anew. */
  readonly epoch: () => number
  /** The gateway's time, ISO 8601. */
  readonly now: () => string
  /** A time, with its day unless that is today at the gateway. */
  readonly time: (iso: string) => string
  /** Looks again, now. */
  readonly refresh: () => void
  /** Says something to the reader, also to one who does not see. */
  readonly announce: (text: string) => void
  /**
   * Runs what a button is for, and looks again. The button is out of use meanwhile; what the action returns is
   * announced, as is its failure.
   */
  readonly act: (button: HTMLButtonElement, action: () => Promise<string>) => void
  /** Asks before something that cannot be undone. */
  readonly confirm: (question: string, answer: string) => Promise<boolean>
}

/** A part of the page that shows what the gateway holds. */
export interface View {
  /** Brings it up to date; reads only what has changed. */
  readonly update: (state: State) => Promise<void>
}
