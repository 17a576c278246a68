import { bootstrap } from "@vendure/core"
import { config } from "./config"

const start = async () => {
  const app = await bootstrap(config)
  app.enableShutdownHooks()
}

void start()
