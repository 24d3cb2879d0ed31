import type { Platform, Role } from '../../platform/app.ts'
import { guardCalls } from '../../platform/http/routes.ts'
import { perProduct } from '../../platform/memory.ts'
import { repeat } from '../../platform/work/repeat.ts'
import { settleAvailability } from './availability.actions.ts'
import { type SeenUser, writeActs, writePresence } from './availability.queries.ts'
import { outdatedUsers } from './availability.state.queries.ts'

const BEAT_MS = 5_000

/** Who called to change something since the last beat, by id. */
const actedOf = perProduct(() => new Map<number, { companyId: number; userId: number }>())

/** A call that changes something is an act of its user; a visitor is none. Without a statement: every call comes by. */
export const actsSeen = guardCalls({
  async check(platform, viewer, route) {
    if (route.method === 'GET' || viewer.visitId !== undefined) return
    actedOf(platform).set(viewer.id, { companyId: viewer.companyId, userId: viewer.id })
  },
  async checkFile() {},
})

/** Every process that serves screens writes whose are open, and announces what changed by itself: screens, silence, hours. */
export const presenceWritten: Role = {
  name: 'web',
  async start(platform) {
    const beating = repeat(BEAT_MS, () => beat(platform), platform.log)
    return { stop: () => beating.stop() }
  },
}

/** Exported for tests: they do not wait for the clock. */
export async function beat(platform: Platform): Promise<void> {
  const { here, acted } = seenBy(platform)
  const work = platform.scopes.platform()
  const outdated = await work.transaction(async sql => {
    if (here.length > 0) await writePresence(sql, here)
    if (acted.length > 0) await writeActs(sql, acted)
    return outdatedUsers(sql, here)
  })
  for (const { companyId, userIds } of outdated)
    await platform.scopes
      .inCompany(companyId)
      .transaction(tx => settleAvailability(tx, userIds))
      .catch(error => platform.log.warn({ err: error, companyId }, 'availabilities were not settled'))
}

function seenBy(platform: Platform) {
  const calls = actedOf(platform)
  const acted = [...calls.values()]
  calls.clear()
  const all = new Map<number, SeenUser>()
  for (const one of acted) all.set(one.userId, { ...one, screen: false, acted: true })
  for (const { companyId, userId } of platform.sockets.users())
    all.set(userId, { companyId, userId, screen: true, acted: all.has(userId) })
  return { here: [...all.values()], acted }
}
