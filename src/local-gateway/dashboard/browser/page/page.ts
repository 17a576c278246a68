/**
 * Interfaces of the dashboard's parts. Types only.
 */
import type { DashboardCatalogue } from "../../DashboardCatalogue.js"
import type { State } from "./controlResponses.js"

/** The page, as its parts use it. */
export interface Page {
  /** Settings and codes that need no request to the control API. */
  readonly catalogue: DashboardCatalogue
  /** Increases when everything read before may be wrong: the gateway was gone and is back, or has started over. */
  readonly epoch: () => number
  /** Address of the gateway, without `/api`. */
  readonly url: () => string
  /** The gateway's time, ISO 8601. */
  readonly now: () => string
  /** A time, with its day unless that is today at the gateway; with its milliseconds where they are wanted. */
  readonly time: (iso: string, withMillis?: boolean) => string
  /** Reads the state again, now. */
  readonly refresh: () => void
  /** Shows a message, and has screen readers read it out. */
  readonly announce: (text: string) => void
  /**
   * Runs the action of a button, announces its result or its failure, and refreshes the page. The button is disabled
   * meanwhile.
   */
  readonly act: (button: HTMLButtonElement, action: () => Promise<string>) => void
  /** Asks before something that cannot be undone. */
  readonly confirm: (question: string, label: string) => Promise<boolean>
}

/** A part of the page that shows some of the gateway's state. */
export interface View {
  /** Brings the view up to date; reads only changes. */
  readonly update: (state: State) => Promise<void>
}
