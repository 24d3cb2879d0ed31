import type { Driver } from '../driver.ts'
import { CONNECTIONS_TOPIC } from '../features/connections/connections.events.ts'
import {
  claim,
  RENEW_MS,
  release,
  renew,
  voidAll,
} from '../features/connections/connections.leases.queries.ts'
import { type DesiredState, desiredStates } from '../features/connections/connections.session.queries.ts'
import { connectionsWithWork } from '../features/messages/outbox/waiting.queries.ts'
import type { Platform, Role } from '../platform/app.ts'
import { everyone, publishGap, visitors } from '../platform/live/live.ts'
import { repeat } from '../platform/work/repeat.ts'
import { createBaileysDriver } from './baileys/index.ts'
import { createCloudDriver } from './cloud/index.ts'
import { SOON_MS } from './outbox.ts'
import { ConnectionRunner } from './runner.ts'
import { createSimulatorDriver } from './simulator/index.ts'

/** Polling of desired states; a signal makes it look at once. */
const LOOK_MS = 1_000
/** Polling of waiting work of its connections, which also get signals. */
const WORK_MS = 2_000

/** Runs the connections of all companies: whoever holds the lease of a connection opens its session. */
export const channels: Role = {
  name: 'channels',
  async start(platform) {
    const owner = platform.instance
    const host = platform.scopes.platform()
    const drivers = new Map<string, Driver>(driversOf(platform).map(driver => [driver.lib, driver]))
    const runners = new Map<number, ConnectionRunner>()
    const carryOut = onceAtATime()
    let stopping = false
    if (platform.isAlone) await voidAll(host)

    async function look() {
      const inherited = new Set<number>()
      for (const wish of await desiredStates(host, owner)) {
        if (stopping) return
        const runner = runners.get(wish.whatsappId) ?? (await claimRunner(platform, drivers, wish, inherited))
        if (!runner) continue
        runners.set(wish.whatsappId, runner)
        if (runner.order < wish.number) carryOut(runner, wish)
      }
      publishGaps(platform, inherited)
    }

    async function keepAlive() {
      const held = leasesOf(runners)
      const still = await renew(host, owner, held)
      for (const [whatsappId, runner] of runners)
        if (held.includes(runner.lease) && (!still.has(runner.lease) || runner.isLost())) {
          runners.delete(whatsappId)
          platform.log.info({ whatsappId }, 'the connection is left, for whoever claims it next')
          void runner.drop().then(() => release(host, owner, runner.lease).catch(() => {}))
        }
    }

    const polling = pollWork(platform, runners)
    const looking = repeat(LOOK_MS, look, platform.log)
    const renewing = repeat(RENEW_MS, keepAlive, platform.log)
    const unsubscribe = platform.signals.listen(CONNECTIONS_TOPIC, looking.now)
    looking.now()

    return {
      async stop() {
        stopping = true
        unsubscribe()
        await Promise.all([looking.stop(), polling.stop()])
        await Promise.all([...runners.values()].map(runner => runner.drop()))
        await renewing.stop()
        for (const lease of leasesOf(runners)) await release(host, owner, lease)
      },
    }
  },
}

/** Wakes connections with waiting work whose signal was lost. */
function pollWork({ scopes, instance, log }: Platform, runners: Map<number, ConnectionRunner>) {
  async function look() {
    if (runners.size === 0) return
    for (const whatsappId of await scopes.platform().list(sql => connectionsWithWork(sql, instance, SOON_MS)))
      runners.get(whatsappId)?.look()
  }
  return repeat(WORK_MS, look, log)
}

/** Passes an order to its runner once, however often it is found while it is carried out. */
function onceAtATime() {
  const underWay = new WeakMap<ConnectionRunner, number>()
  return (runner: ConnectionRunner, wish: DesiredState) => {
    if (underWay.get(runner) === wish.number) return
    underWay.set(runner, wish.number)
    void runner.carryOut(wish).finally(() => {
      if (underWay.get(runner) === wish.number) underWay.delete(runner)
    })
  }
}

/** Null while another process holds the lease; `inherited` gathers the companies of expired leases. */
async function claimRunner(
  platform: Platform,
  drivers: Map<string, Driver>,
  { companyId, whatsappId, lib }: DesiredState,
  inherited: Set<number>,
): Promise<ConnectionRunner | null> {
  const driver = drivers.get(lib)
  const owner = platform.instance
  const lease = driver && (await claim(platform.scopes.platform(), owner, { companyId, whatsappId }))
  if (!driver || !lease) return null
  if (lease.isInherited) inherited.add(companyId)
  platform.log.info({ companyId, whatsappId }, 'this process runs the connection')
  return new ConnectionRunner(platform, driver, owner, lease)
}

const leasesOf = (runners: Map<number, ConnectionRunner>) => [...runners.values()].map(({ lease }) => lease)

/** The previous owner may have died between its commit and the push of it: screens fetch again. */
function publishGaps({ sockets }: Platform, companyIds: Set<number>) {
  for (const companyId of companyIds) publishGap(sockets.push, [everyone(companyId), visitors(companyId)])
}

const driversOf = (platform: Platform): Driver[] => {
  const { log, config } = platform
  return [
    createBaileysDriver({ webUrl: config.whatsappWebUrl, version: config.whatsappWebVersion, log }),
    createCloudDriver(platform),
    createSimulatorDriver(platform),
  ]
}
