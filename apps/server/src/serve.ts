import { flushCompileCache } from 'node:module'
import { type Running, startProduct } from './platform/app.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { lockDataDir, openDataDir } from './platform/lock.ts'
import { portIsFree } from './platform/port.ts'
import { product } from './product.ts'
import { demoLogins } from './seed/demo.ts'

/** The product until it is told to stop; a start that cannot go on says why and ends with 1. */
export const serveUntilTold = () => main().catch(fail)

async function main() {
  const config = readConfig(process.env)
  const lock = config.databaseUrl ? await openDataDir(config.dataDir) : await lockDataDir(config.dataDir)
  await portIsFree(config)
  const running = await startProduct(config, product)

  let asked = false
  const stop = async () => {
    if (asked) process.exit(1)
    asked = true
    await running.stop()
    lock?.release()
    process.exit(0)
  }
  // before it is said that it serves: whoever reads that may end it
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  welcome(config, running)
  // a process that is killed leaves nothing behind for the next start otherwise
  flushCompileCache()
}

function welcome({ demo, port, roles }: Config, { url, said }: Running) {
  for (const line of said) console.log(line)
  const address = `http://localhost:${new URL(url).port || port}`
  if (!roles.has('web')) return console.log(`Balcão is at work; ${address}/health says how`)
  console.log(`Balcão serves ${address}`)
  if (demo) for (const line of demoLogins) console.log(`  ${line}`)
}

/** What an operator can mend is said in one line; only a defect of ours shows its stack. */
function fail(error: unknown): never {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
