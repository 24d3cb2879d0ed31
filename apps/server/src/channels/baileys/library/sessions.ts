import { AsyncLocalStorage } from 'node:async_hooks'
import type { SocketConfig } from 'baileys'
import { SessionBuilder, SessionCipher } from 'libsignal'
import { type LockedKeys, lockOf, type Named } from './ratchet.ts'

type Repository = ReturnType<SocketConfig['makeSignalRepository']>
type NewSession = Parameters<Repository['injectE2ESession']>[0]

/** A session of libsignal, as far as it is asked for here. */
interface Entry {
  serialize(): object
  constructor: { deserialize(data: object): object }
}

interface Cipher {
  doDecryptWhisperMessage(message: Buffer, session: Entry): Promise<Buffer>
  queueJob<Done>(work: () => Promise<Done>): Promise<Done>
}

type Storage = Record<string, (...given: unknown[]) => unknown>

interface Builder {
  storage: Storage
  initOutgoing(this: Builder, device: unknown): Promise<void>
}

/**
 * libsignal tries a message on one session after the other and turns the ratchet of each before it knows whether the
 * message is of that session; then it stores all of them with the one that fitted. A message that was still on its way
 * under the former session so breaks the present one for good ("Bad MAC"), for both sides. Here a try that failed
 * leaves its session as it was.
 *
 * Replaces methods of libsignal 6.0.0 on its prototypes, as does `workForWhoAsks`: it has no option for either. Instead
 * of: libsignal as it is, whose sessions break (decision 013, points 2 and 4). `ratchet.test.ts` fails when they change.
 */
function leaveFailedTriesWithoutTrace(cipher: Cipher): void {
  const attempt = cipher.doDecryptWhisperMessage
  cipher.doDecryptWhisperMessage = async function (message, session) {
    const before = session.serialize()
    try {
      return await attempt.call(this, message, session)
    } catch (error) {
      Object.assign(session, session.constructor.deserialize(before))
      throw error
    }
  }
}
leaveFailedTriesWithoutTrace(SessionCipher.prototype as object as Cipher)

/**
 * libsignal queues its work by the customer's address, for the whole process, and runs it in the asynchronous context of
 * whoever came first: what a connection stores would belong to the transaction of another one, of another company even,
 * that receives from the same customer at that moment. Here the lock of each connection is its queue, and who began a session
 * stores it.
 */
function workForWhoAsks(cipher: Cipher, builder: Builder): void {
  cipher.queueJob = work => work()
  const { initOutgoing } = builder
  builder.initOutgoing = function (device) {
    const here = AsyncLocalStorage.snapshot()
    const call =
      (storage: Storage, name: string) =>
      (...given: unknown[]) =>
        here(() => storage[name]!(...given))
    const storage = new Proxy(this.storage, { get: (of, name) => call(of, String(name)) })
    return initOutgoing.call(Object.assign(Object.create(this) as Builder, { storage }), device)
  }
}
workForWhoAsks(SessionCipher.prototype as object as Cipher, SessionBuilder.prototype as object as Builder)

const renewal = new AsyncLocalStorage<boolean>()

/** A recipient could not read our message: during `work` a new session may replace a good one. */
export const renewing = (work: () => Promise<void>): Promise<void> => renewal.run(true, work)

/**
 * Baileys begins a new session with everybody whose devices it looks up, after each start and every few minutes, while
 * messages under the present one are on their way. Here one that is open with the same identity stays, unless the other
 * side could not read.
 */
export function keepSessions(repository: Repository, keys: LockedKeys, creds: Named): void {
  const { injectE2ESession } = repository
  repository.injectE2ESession = given =>
    keys.transaction(async () => {
      if (!renewal.getStore() && (await isOpen(repository, keys, given))) return
      await injectE2ESession(given)
    }, lockOf(creds))
}

interface StoredRecord {
  _sessions?: Record<
    string,
    { registrationId?: number; indexInfo: { closed: number; remoteIdentityKey: string } }
  >
}

async function isOpen(repository: Repository, keys: LockedKeys, { jid, session }: NewSession) {
  const address = repository.jidToSignalProtocolAddress(jid)
  const record = (await keys.get('session', [address]))[address] as StoredRecord | undefined
  const identity = Buffer.from(session.identityKey).toString('base64')
  return Object.values(record?._sessions ?? {}).some(
    ({ registrationId, indexInfo }) =>
      indexInfo.closed === -1 &&
      registrationId === session.registrationId &&
      indexInfo.remoteIdentityKey === identity,
  )
}
