import {
  type AuthenticationCreds,
  BufferJSON,
  initAuthCreds,
  makeCacheableSignalKeyStore,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type SocketConfig,
} from 'baileys'
import type { KeyRow, KeyRows } from '../../../driver.ts'
import { openQueue } from '../../../platform/work/serial-queue.ts'
import { boundedCache } from './cache.ts'
import { JOURNAL } from './journal.ts'
import { MESSAGE_SECRET } from './secrets.ts'

const CREDS = { type: 'creds', id: 'me' }
/** Enough for the one-time keys and the sessions of the chats of a busy day, about 10 MB. */
const CACHED_KEYS = 4_000
/** Baileys does not read them. */
const UNCACHED = [JOURNAL, MESSAGE_SECRET]

/** Who this connection is, for the life of one socket. */
export interface Auth {
  creds: AuthenticationCreds
  keys: SignalKeyStore
  /** Writes the credentials when they have changed. Rejects when that is not possible. */
  save(): Promise<void>
  changed(): void
  /** From now on nothing is read or written: another socket owns the keys. */
  seal(): void
}

interface Options {
  logger: SocketConfig['logger']
  /** A row could not be written: what the socket believes and what is stored have parted, it must end. */
  onBroken(error: unknown): void
}

/**
 * Credentials and Signal keys from the rows of a connection; new ones when no phone has linked it yet. Those are
 * stored from the moment of linking on, so that a pairing left half-way leaves nothing behind.
 */
export async function loadAuth(rows: KeyRows, { logger, onBroken }: Options): Promise<Auth> {
  const stored = (await rows.read(CREDS.type, [CREDS.id])).get(CREDS.id)
  const creds: AuthenticationCreds = stored ? decode(stored) : initAuthCreds()
  let isSealed = false
  // The cache went ahead of the rows when a write failed: nothing may be built upon it any more.
  let isBroken = false
  let changes = 0
  let saved = 0
  const inTurn = openQueue()

  const isPaired = () => creds.account !== undefined

  function refuseWhenOver(isSignal: boolean) {
    if (isSealed) throw new Error('these keys belong to a later socket')
    if (isBroken && isSignal) throw new Error('an earlier key could not be stored')
  }

  // One write after the other, and the newest credentials with each: keys and the counters of keys never part.
  function write(signal: KeyRow[]): Promise<void> {
    return inTurn(async () => {
      refuseWhenOver(signal.length > 0)
      const upTo = changes
      const credsRow = isPaired() && upTo > saved ? [{ ...CREDS, value: encode(creds) }] : []
      if (signal.length + credsRow.length === 0) return
      await rows.write([...credsRow, ...signal]).catch(error => {
        isBroken ||= signal.length > 0
        onBroken(error)
        throw error
      })
      if (credsRow.length > 0) saved = upTo
    })
  }

  const store: SignalKeyStore = {
    async get(type, ids) {
      refuseWhenOver(true)
      const found = await rows.read(type, ids)
      return Object.fromEntries([...found].map(([id, value]) => [id, revive(type, value)]))
    },
    set: changed => write(rowsOf(changed)),
  }
  const cache = boundedCache(CACHED_KEYS, key => UNCACHED.every(type => !key.startsWith(type)))

  return {
    creds,
    keys: makeCacheableSignalKeyStore(store, logger, cache),
    save: () => write([]),
    changed: () => void changes++,
    seal() {
      isSealed = true
    },
  }
}

const encode = (value: unknown) => JSON.stringify(value, BufferJSON.replacer)
const decode = (text: string) => JSON.parse(text, BufferJSON.reviver)

/** The content of a row; one kind of key must be an instance of its class again. */
function revive(type: keyof SignalDataTypeMap, text: string) {
  const value = decode(text)
  return type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value) : value
}

function rowsOf(changed: SignalDataSet) {
  return Object.entries(changed).flatMap(([type, values]) =>
    Object.entries(values ?? {}).map(([id, value]) => ({
      type,
      id,
      value: value === null ? null : encode(value),
      ...(type === MESSAGE_SECRET && { isPassing: true }),
    })),
  )
}
