import { house } from './house.ts'
import { startHouse } from './platform/app.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { lockDataDir } from './platform/lock.ts'
import { demoLogins } from './seed/demo.ts'

/** What an operator can mend is said in one line; only a defect of ours shows its stack. */
function fail(error: unknown): never {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}

const explain = (error: unknown) => {
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return new ConfigError(`PORT ${port} is in use on ${address}: stop what listens there, or choose another`)
  if (code === 'EACCES' && port) return new ConfigError(`PORT ${port} needs rights that this process lacks`)
  return error
}

async function main() {
  const config = readConfig(process.env)
  const lock = await lockDataDir(config.dataDir)
  const running = await startHouse(config, house).catch(error => fail(explain(error)))
  welcome(config, running.url)

  let asked = false
  const stop = async () => {
    if (asked) process.exit(1)
    asked = true
    await running.stop()
    lock.release()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function welcome({ demo, port }: Config, url: string | null) {
  if (!url) return console.log('Balcão is at work (no HTTP in this process)')
  console.log(`Balcão serves http://localhost:${new URL(url).port || port}`)
  if (demo) for (const line of demoLogins) console.log(`  ${line}`)
}

main().catch(fail)
