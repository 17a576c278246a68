/**
 * The abort signals of callers: one listener for each signal, however many calls share it.
 */

interface Subscription {
  readonly subscribers: Set<() => void>
  readonly listener: () => void
}

/** Calls a function when a signal aborts, until the returned function is called. */
export const abortSubscriptions = () => {
  const subscriptions = new WeakMap<AbortSignal, Subscription>()

  const subscribe = (signal: AbortSignal): Subscription => {
    const subscribers = new Set<() => void>()
    const listener = (): void => {
      for (const notify of subscribers) notify()
    }
    const subscription = { subscribers, listener }
    subscriptions.set(signal, subscription)
    signal.addEventListener("abort", listener, { once: true })
    return subscription
  }

  return (signal: AbortSignal, notify: () => void): (() => void) => {
    const { listener, subscribers } = subscriptions.get(signal) ?? subscribe(signal)
    subscribers.add(notify)
    return () => {
      subscribers.delete(notify)
      if (subscribers.size > 0) return
      subscriptions.delete(signal)
      try {
        signal.removeEventListener("abort", listener)
      } catch {
        // The signal belongs to the caller. The response has arrived, and whatever the signal does must not keep it
        // from the caller.
      }
    }
  }
}
