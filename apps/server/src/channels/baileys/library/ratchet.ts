import { AsyncLocalStorage } from 'node:async_hooks'
import type { SignalDataSet, SignalKeyStore, WASocket } from 'baileys'

/** A key store of Baileys, with its transactions. */
export type LockedKeys = WASocket['authState']['keys']

/** Credentials as far as they name the account. */
export interface Named {
  me?: { id: string }
}

/** What one transaction of Baileys has changed, by type and id. */
interface Unit {
  /** Not stored yet. */
  changed: Map<string, { type: string; id: string; value: unknown }>
  /** Stored before a frame left. */
  stored: Map<string, unknown>
  isOver: boolean
}

/**
 * Keeps the ratchets of Signal from going back. Baileys writes a frame to the network inside the transaction in which
 * it was encrypted and commits afterwards: a process that dies in between comes back with an older session, encrypts
 * under a counter that was used already, and neither side can read the other any more. A counter that was skipped
 * does no harm. So here a frame leaves when everything that its transaction has changed until then is stored.
 *
 * Wraps the key store of Baileys 7.0.0-rc14 and what it calls its transactions. Instead of: the store alone; with it 2 of
 * 5 rounds of kills left sessions that neither side could read (decision 013). `ratchet.test.ts` fails when Baileys
 * writes its keys another way, `ratchet.kill.test.ts` when it matters.
 */
export interface Ratchet {
  /** The store to give to Baileys: the commit of a transaction does not write again what was stored before a frame. */
  keys: SignalKeyStore
  /** Follows what transactions change. Call it with the keys that Baileys made of `keys`, before they are used. */
  follow(keys: LockedKeys): void
  /** Stores what the transaction has changed in whose course this is called; null when there is nothing to wait for. */
  settle(): Promise<void> | null
}

/**
 * The transaction outside the lock: it touches no session, and lookups for which others wait wait for it,
 * also for those who hold the lock.
 */
const BESIDE = 'lid-mapping'
/** Who has our key of a group is true when the frame that distributes it has left, not before. */
const AFTERWARDS = 'sender-key-memory'

export function createRatchet(store: SignalKeyStore, creds: Named): Ratchet {
  const units = new AsyncLocalStorage<Unit>()
  const present = () => {
    const unit = units.getStore()
    return unit?.isOver ? undefined : unit
  }

  return {
    keys: {
      ...store,
      async set(data) {
        const rest = without(data, units.getStore()?.stored)
        if (Object.keys(rest).length > 0) await store.set(rest)
      },
    },
    follow(keys) {
      const { get, set, transaction } = keys
      // Baileys leaves work behind that goes on after its transaction: what it sets there would be lost.
      const outside = AsyncLocalStorage.snapshot()
      keys.get = (type, ids) => (present() ? get(type, ids) : outside(() => get(type, ids)))
      // One lock for all: under names of their own a session that moves, or begins anew, is overwritten by a send.
      keys.transaction = (work, name) => {
        if (present()) return transaction(work, name)
        const unit: Unit = { changed: new Map(), stored: new Map(), isOver: false }
        const whole = () => work().finally(() => (unit.isOver = true))
        const lock = name === BESIDE ? name : lockOf(creds)
        return outside(() => units.run(unit, () => transaction(whole, lock)))
      }
      keys.set = async data => {
        const unit = present()
        if (unit) note(unit, data)
        if (unit) return set(data)
        const alone = () => keys.transaction(async () => keys.set(data), lockOf(creds))
        return outside(() => ('session' in data ? alone() : set(data)))
      }
    },
    settle() {
      const unit = present()
      if (!unit || unit.changed.size === 0) return null
      const changes: Record<string, Record<string, unknown>> = {}
      for (const [key, { type, id, value }] of unit.changed) {
        changes[type] = { ...changes[type], [id]: value }
        unit.stored.set(key, value)
      }
      unit.changed.clear()
      return Promise.resolve(store.set(changes as SignalDataSet))
    },
  }
}

/** The name under which Baileys locks its sends. */
export const lockOf = ({ me }: Named) => me?.id ?? 'nobody'

function note({ changed }: Unit, data: SignalDataSet): void {
  for (const [type, values] of Object.entries(data)) {
    if (type === AFTERWARDS) continue
    for (const [id, value] of Object.entries(values ?? {})) changed.set(`${type} ${id}`, { type, id, value })
  }
}

/** The changes but for those that are stored as they are. */
function without(data: SignalDataSet, stored: Map<string, unknown> | undefined): SignalDataSet {
  if (!stored || stored.size === 0) return data
  const isNew =
    (type: string) =>
    ([id, value]: [string, unknown]) => {
      const key = `${type} ${id}`
      return !stored.has(key) || stored.get(key) !== value
    }
  const rest = Object.entries(data).map(
    ([type, values]) => [type, Object.fromEntries(Object.entries(values ?? {}).filter(isNew(type)))] as const,
  )
  return Object.fromEntries(rest.filter(([, values]) => Object.keys(values).length > 0))
}
