import { flushCompileCache } from 'node:module'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { checkedWebBuild } from './platform/http/web-build.ts'
import { thisBuild } from './platform/observe/build.ts'
import { createLog } from './platform/observe/log.ts'
import { reachDatabase } from './platform/postgres/embedded/reach.ts'
import type { Running } from './platform/start.ts'
import { stopOnce } from './platform/startup/stop.ts'

/**
 * Serves until SIGTERM, SIGINT or SIGHUP; a start that fails prints why and ends with 1. `reach` opens another database than the
 * environment names.
 */
export async function serveUntilStopped(reach: typeof reachDatabase = reachDatabase): Promise<void> {
  await main(reach).catch(fail)
}

async function main(reach: typeof reachDatabase) {
  const config = readConfig(process.env)
  const log = createLog(config)
  const { databaseUrl, roles, production } = config
  const where = { database: databaseUrl ? 'server' : 'embedded', roles: [...roles], production }
  log.info({ ...thisBuild(), node: process.version, ...where }, 'Balcão starts')
  let close: () => Promise<void> = async () => {}
  async function stop(signal: string) {
    const began = performance.now()
    log.info({ signal }, 'asked to stop: what has begun is finished')
    await close()
    log.info({ seconds: Math.round((performance.now() - began) / 100) / 10 }, 'Balcão has stopped')
    process.exit(0)
  }
  // from now on: a process that ends by `exit` also stops the database that it has started
  const onSignal = stopOnce({ stop: signal => stop(signal).catch(fail), abort: () => process.exit(1) })
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // a terminal that is closed, or a connection to the machine that ends
  process.on('SIGHUP', onSignal)
  const { close: leave, ...reached } = await reach(config, log)
  // late: a start that is refused until here does not wait until a thousand files are read
  const { product } = await import('./product.ts')
  const { startProduct } = await import('./platform/start.ts')
  const web = roles.has('web') ? await checkedWebBuild(log) : undefined
  const running = await startProduct(config, product, { ...reached, log, web })
  close = async () => {
    await running.stop()
    await leave()
  }
  await welcome(config, running)
  // a process that is killed leaves nothing behind for the next start otherwise
  flushCompileCache()
}

async function welcome({ demo, port, roles }: Config, { url, notes }: Running) {
  for (const line of notes) console.log(line)
  const address = `http://localhost:${new URL(url).port || port}`
  if (!roles.has('web')) return console.log(`Balcão is at work; ${address}/health says how`)
  console.log(`Balcão serves ${address}`)
  const { demoLogins } = await import('./seed/demo.ts')
  if (demo) for (const line of demoLogins) console.log(`  ${line}`)
}

/** What an operator can fix is printed in one line; only a defect shows its stack. */
function fail(error: unknown): never {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
