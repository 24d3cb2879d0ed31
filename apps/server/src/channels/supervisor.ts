import type { Driver } from '../driver.ts'
import { CONNECTIONS_TOPIC } from '../features/connections/connections.events.ts'
import { claim, RENEW_MS, release, renew, voidAll } from '../features/connections/connections.leases.ts'
import { type Wish, wishes } from '../features/connections/connections.wishes.ts'
import type { Platform, Role } from '../platform/app.ts'
import { repeat } from '../platform/repeat.ts'
import { createBaileysDriver } from './baileys/index.ts'
import { createCloudDriver } from './cloud/index.ts'
import { type ConnectionRunner, openRunner } from './runner.ts'
import { simulatorDriver } from './simulator/index.ts'

/** How often the supervisor looks at what is wanted; a nudge makes it look at once. */
const LOOK_MS = 1_000

/** Runs the connections of all companies: whoever holds the lease of a connection opens its session. */
export const channels: Role = {
  name: 'channels',
  async start(platform) {
    const owner = platform.instance
    const host = platform.scopes.platform()
    const drivers = new Map<string, Driver>(driversOf(platform).map(driver => [driver.lib, driver]))
    const runners = new Map<number, ConnectionRunner>()
    let stopping = false
    if (platform.database.kind === 'pglite') await voidAll(host)

    async function look() {
      for (const wish of await wishes(host)) {
        if (stopping) return
        const runner = runners.get(wish.whatsappId) ?? (await takeOver(wish))
        if (runner && runner.order < wish.number) void runner.carryOut(wish)
      }
    }

    async function takeOver({ companyId, whatsappId, lib }: Wish) {
      const driver = drivers.get(lib)
      const lease = driver && (await claim(host, owner, { companyId, whatsappId }))
      if (!driver || !lease) return null
      const runner = openRunner(platform, driver, owner, lease)
      runners.set(whatsappId, runner)
      platform.log.info({ companyId, whatsappId }, 'this process runs the connection')
      return runner
    }

    async function keepAlive() {
      const asked = [...runners.values()].map(({ lease }) => lease)
      const still = await renew(host, owner, asked)
      for (const [whatsappId, runner] of runners)
        if (asked.includes(runner.lease) && (!still.has(runner.lease) || runner.isLost())) {
          runners.delete(whatsappId)
          platform.log.info({ whatsappId }, 'the connection is left, for whoever claims it next')
          void runner.drop().then(() => release(host, owner, runner.lease).catch(() => {}))
        }
    }

    const looking = repeat(LOOK_MS, look, platform.log)
    const renewing = repeat(RENEW_MS, keepAlive, platform.log)
    const deafen = platform.signals.listen(CONNECTIONS_TOPIC, looking.now)
    looking.now()

    return {
      async stop() {
        stopping = true
        deafen()
        await looking.stop()
        await Promise.all([...runners.values()].map(runner => runner.drop()))
        await renewing.stop()
        for (const { lease } of runners.values()) await release(host, owner, lease)
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
