import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/observe/log.ts'
import { reachDatabase } from '../src/platform/postgres/embedded/reach.ts'
import { type Product, startProduct } from '../src/platform/start.ts'

/** What `main.ts` does, with another product: a program of its own that `startProcess` starts. */
export async function serveAsChild(product: Product): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  const { close, ...reached } = await reachDatabase(config, log)
  const running = await startProduct(config, product, { ...reached, log })
  console.log(`Balcão serves ${running.url}`)
  process.on('SIGTERM', async () => {
    await running.stop()
    await close()
    process.exit(0)
  })
}
