/**
 * Effect's `Redis` service over the client of the Redis project. It needs no subscriptions and no reserved connections.
 */
import { createClient } from "@redis/client"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Persistence from "effect/persistence/Persistence"
import * as Redis from "effect/persistence/Redis"

const connection = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      // Without the queue, a command fails at once while there is no connection.
      const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: 50 } })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.sync(() => client.destroy())
  )

const notNeeded = Effect.die("not needed here")

const layerRedis = (url: string): Layer.Layer<Redis.Redis> =>
  Layer.effect(
    Redis.Redis,
    Effect.flatMap(connection(url), (client) =>
      Redis.make({
        send: <A>(command: string, ...args: ReadonlyArray<string>) =>
          Effect.tryPromise({
            try: () => client.sendCommand<A>([command, ...args]),
            catch: (cause) => new Redis.RedisError({ cause })
          }),
        subscribe: () => notNeeded,
        connect: notNeeded
      })
    )
  )

/** Effect's `Persistence` in the Redis at an address. */
export const layer = (url: string): Layer.Layer<Persistence.Persistence> =>
  Layer.provide(Persistence.layerRedis, layerRedis(url))
