import { randomUUID } from 'node:crypto'
import type { Driver } from '../driver.ts'
import { CONNECTIONS_TOPIC } from '../features/connections/connections.events.ts'
import { claim, RENEW_MS, release, renew, voidAll } from '../features/connections/connections.leases.ts'
import { type Wish, wishes } from '../features/connections/connections.wishes.ts'
import type { Platform, Role } from '../platform/app.ts'
import { createBaileysDriver } from './baileys/index.ts'
import { createCloudDriver } from './cloud/index.ts'
import { type Line, openLine } from './line.ts'
import { simulatorDriver } from './simulator/index.ts'

/** How often the supervisor looks at what is wanted; a nudge makes it look at once. */
const LOOK_MS = 1_000

/** Runs the connections of all companies: whoever holds the lease of a connection opens its session. */
export const channels: Role = {
  name: 'channels',
  async start(platform) {
    const owner = randomUUID()
    const door = platform.scopes.platform()
    const drivers = new Map<string, Driver>(driversOf(platform).map(driver => [driver.lib, driver]))
    const lines = new Map<number, Line>()
    let stopping = false
    if (platform.database.kind === 'pglite') await voidAll(door)

    async function look() {
      for (const wish of await wishes(door)) {
        if (stopping) return
        const line = lines.get(wish.whatsappId) ?? (await takeOver(wish))
        if (line && line.order < wish.number) void line.carryOut(wish)
      }
    }

    async function takeOver({ companyId, whatsappId, lib }: Wish) {
      const driver = drivers.get(lib)
      const lease = driver && (await claim(door, owner, { companyId, whatsappId }))
      if (!driver || !lease) return null
      const line = openLine(platform, driver, owner, lease)
      lines.set(whatsappId, line)
      platform.log.info({ companyId, whatsappId }, 'this process runs the connection')
      return line
    }

    async function keepAlive() {
      const asked = [...lines.values()].map(({ lease }) => lease)
      const still = await renew(door, owner, asked)
      for (const [whatsappId, line] of lines)
        if (asked.includes(line.lease) && !still.has(line.lease)) {
          lines.delete(whatsappId)
          platform.log.info({ whatsappId }, 'another process may run the connection: it is left')
          void line.drop()
        }
    }

    const looking = repeat(LOOK_MS, look, platform)
    const renewing = repeat(RENEW_MS, keepAlive, platform)
    const deafen = platform.signals.listen(CONNECTIONS_TOPIC, looking.now)
    looking.now()

    return {
      async stop() {
        stopping = true
        deafen()
        await looking.stop()
        await Promise.all([...lines.values()].map(line => line.drop()))
        await renewing.stop()
        for (const { lease } of lines.values()) await release(door, owner, lease)
      },
    }
  },
}

const driversOf = (platform: Platform): Driver[] => {
  const { scopes, signals, files, log, config } = platform
  return [
    createBaileysDriver({ webUrl: config.whatsappWebUrl, version: config.whatsappWebVersion, log }),
    createCloudDriver(platform),
    simulatorDriver({ scopes, signals, files, log }),
  ]
}

/** Does something again and again, never twice at once; a failure waits for the next time. */
function repeat(ms: number, work: () => Promise<void>, { log }: Platform) {
  let running: Promise<void> | null = null
  let again = false
  const now = () => {
    again = true
    running ??= run().finally(() => {
      running = null
    })
  }
  async function run() {
    while (again) {
      again = false
      await work().catch(error => log.warn({ err: error }, 'the supervisor will look again'))
    }
  }
  const timer = setInterval(now, ms)
  return {
    now,
    stop: async () => {
      clearInterval(timer)
      again = false
      await running
    },
  }
}
