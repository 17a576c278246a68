/**
 * The ways in which a change can fail for want of a response, and what is known then.
 */
import type { Behaviour } from "./FailingGateway.js"

/** `done`: it did not fail, since it was sent over another connection. */
export type Certainty = "certainly not sent" | "perhaps sent" | "done"

export interface Failure {
  readonly become: Behaviour
  /** What the gateway's name resolves to when the change is made, if not to the gateway. */
  readonly resolve?: "nothing" | "no route"
  /** It would never end by itself. */
  readonly isEndless?: true
  /** It happens while the client does nothing else, right before it makes the change. */
  readonly isBusy?: true
  readonly overFetch: Certainty
  readonly overSockets: Certainty
}

export const failures: { readonly [failure: string]: Failure } = {
  "the connection is refused": {
    become: "gone",
    overFetch: "certainly not sent",
    overSockets: "certainly not sent"
  },
  "the name is not found": {
    become: "gone",
    resolve: "nothing",
    overFetch: "certainly not sent",
    overSockets: "certainly not sent"
  },
  "there is no route": {
    become: "gone",
    resolve: "no route",
    overFetch: "certainly not sent",
    overSockets: "certainly not sent"
  },
  "connecting takes too long": {
    become: "never accepting",
    isEndless: true,
    overFetch: "perhaps sent",
    overSockets: "certainly not sent"
  },
  "the certificate is not trusted": {
    become: "another, which no one vouches for",
    overFetch: "certainly not sent",
    overSockets: "certainly not sent"
  },
  "the TLS handshake is reset": {
    become: "resetting handshakes",
    overFetch: "perhaps sent",
    overSockets: "certainly not sent"
  },
  "the server does not speak TLS": {
    become: "speaking plain HTTP",
    overFetch: "perhaps sent",
    overSockets: "certainly not sent"
  },
  "the TLS handshake hangs": {
    become: "silent in handshakes",
    isEndless: true,
    overFetch: "perhaps sent",
    overSockets: "certainly not sent"
  },
  "a kept connection was closed meanwhile": {
    become: "ending idle connections",
    isBusy: true,
    overFetch: "perhaps sent",
    overSockets: "done"
  },
  "a kept connection was reset meanwhile": {
    become: "resetting idle connections",
    isBusy: true,
    overFetch: "perhaps sent",
    overSockets: "done"
  },
  "a kept connection was given up, with status 408": {
    become: "giving up idle connections",
    isBusy: true,
    overFetch: "perhaps sent",
    overSockets: "done"
  },
  "a kept connection is dead, and no one says so": {
    become: "silent on known connections",
    isEndless: true,
    overFetch: "perhaps sent",
    overSockets: "perhaps sent"
  },
  "the connection is reset within the request": {
    become: "resetting within requests",
    overFetch: "perhaps sent",
    overSockets: "perhaps sent"
  },
  "the connection is reset after the request": {
    become: "resetting after requests",
    overFetch: "perhaps sent",
    overSockets: "perhaps sent"
  },
  "the response is cut off": {
    become: "cutting responses",
    overFetch: "perhaps sent",
    overSockets: "perhaps sent"
  }
}

const shown: { readonly [certainty in Certainty]: string } = {
  "certainly not sent": "certainly not sent",
  "perhaps sent": "perhaps sent",
  done: "sent over another"
}

/** The table as `docs/reliability.md` has it. */
export const failureTable = (): string =>
  [
    "| what happens | over `fetch` | over Node's sockets |",
    "| --- | --- | --- |",
    ...Object.entries(failures).map(
      ([failure, { overFetch, overSockets }]) => `| ${failure} | ${shown[overFetch]} | ${shown[overSockets]} |`
    )
  ].join("\n")
