/**
 * The sendings of one request by a client that reports them: how each has ended, and what that proves.
 */
import type { Outgoing } from "./RequestFacts.js"
import type { TransportResponse } from "./Sender.js"
import { isTransportFailure, type TransportFailure } from "./TransportFailure.js"

type Outcome = TransportResponse | TransportFailure

export interface SendingState {
  readonly outgoing: Outgoing
  wasHandedOver: boolean
  wasStopped: boolean
  hasEnded: boolean
  /** `undefined` also if it was given up. */
  outcome: Outcome | undefined
}

export class Sendings {
  private readonly states: Array<SendingState> = []
  private readonly isRefusal: (response: TransportResponse, of: Outgoing) => boolean

  /** `isRefusal` says whether a response proves that the gateway did not take the request. */
  constructor(isRefusal: (response: TransportResponse, of: Outgoing) => boolean) {
    this.isRefusal = isRefusal
  }

  begin(outgoing: Outgoing): SendingState {
    const state = { outgoing, wasHandedOver: false, wasStopped: false, hasEnded: false, outcome: undefined }
    this.states.push(state)
    return state
  }

  /** The first sending that the gateway may have carried out. */
  inDoubt(): SendingState | undefined {
    return this.states.find((state) => state.wasHandedOver && !this.wasNotTaken(state))
  }

  /** The last sending that was not stopped. */
  last(): SendingState | undefined {
    return this.states.findLast(({ wasStopped }) => !wasStopped)
  }

  hasHandedOver(): boolean {
    return this.states.some(({ wasHandedOver }) => wasHandedOver)
  }

  /** Whether there were sendings, and all of them have ended without being carried out. */
  wereNotTaken(): boolean {
    return this.states.length > 0 && this.states.every((state) => this.wasNotTaken(state))
  }

  private wasNotTaken({ hasEnded, outcome, outgoing, wasHandedOver }: SendingState): boolean {
    if (!hasEnded) return false
    if (!wasHandedOver) return true
    if (outcome === undefined) return false
    return isTransportFailure(outcome) ? outcome.wasSent === "certainly not" : this.isRefusal(outcome, outgoing)
  }
}
