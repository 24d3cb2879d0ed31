import { flushCompileCache } from 'node:module'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { createLog } from './platform/observe/log.ts'
import { reachDatabase } from './platform/postgres/embedded/reach.ts'
import { type Running, startProduct } from './platform/start.ts'
import { product } from './product.ts'
import { demoLogins } from './seed/demo.ts'

/**
 * Serves until SIGTERM or SIGINT; a start that fails prints why and ends with 1. `reach` opens another database than the
 * environment names.
 */
export const serveUntilStopped = (reach: typeof reachDatabase = reachDatabase) => main(reach).catch(fail)

async function main(reach: typeof reachDatabase) {
  const config = readConfig(process.env)
  const log = createLog(config)
  const { database, isAlone, close } = await reach(config, log)
  const running = await startProduct(config, product, { database, isAlone, log })

  let asked = false
  const stop = async () => {
    if (asked) process.exit(1)
    asked = true
    await running.stop()
    await close()
    process.exit(0)
  }
  // before it prints that it serves: the reader may end it at once
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  welcome(config, running)
  // a process that is killed leaves nothing behind for the next start otherwise
  flushCompileCache()
}

function welcome({ demo, port, roles }: Config, { url, notes }: Running) {
  for (const line of notes) console.log(line)
  const address = `http://localhost:${new URL(url).port || port}`
  if (!roles.has('web')) return console.log(`Balcão is at work; ${address}/health says how`)
  console.log(`Balcão serves ${address}`)
  if (demo) for (const line of demoLogins) console.log(`  ${line}`)
}

/** What an operator can fix is printed in one line; only a defect shows its stack. */
function fail(error: unknown): never {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
