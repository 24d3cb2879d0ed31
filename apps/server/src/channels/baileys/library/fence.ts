import { DEFAULT_CONNECTION_CONFIG, type SocketConfig, type WASocket } from 'baileys'
import { type Entry, JOURNAL, type Journal } from '../keys/journal.ts'
import { MESSAGE_SECRET, secretIn } from '../keys/secrets.ts'
import { withinMs } from '../session/time-limit.ts'
import { type LockedKeys, lockOf, type Named, type Ratchet } from './ratchet.ts'
import { keepSessions } from './sessions.ts'

/** How long a socket may finish what it is doing before the next one opens. */
const DRAIN_MS = 5_000

/** The gate before the decryption of one socket. */
export interface DecryptionGate {
  makeSignalRepository: SocketConfig['makeSignalRepository']
  /** Decrypts nothing more: what still arrives stays untouched, and the server delivers it again. */
  raise(): void
}

/**
 * Baileys commits a decryption before it is processed. Here the plaintext is committed with the change of its
 * session; and what was decrypted already, and is delivered again because its receipt did not arrive, is read there.
 *
 * Wraps the signal repository of Baileys 7.0.0-rc14 and keeps a kind of key that it does not know. Instead of: Baileys'
 * own repository, which loses what was decrypted when the process dies then. `ratchet.test.ts` and `kill.test.ts` fail
 * when it decrypts another way.
 */
export function createFence(journal: Journal, ratchet: Ratchet, creds: Named): DecryptionGate {
  let isUp = false
  return {
    raise() {
      isUp = true
    },
    makeSignalRepository(auth, logger, findLids) {
      const keys = auth.keys as LockedKeys
      ratchet.follow(keys)
      const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, findLids)
      keepSessions(repository, keys, creds)
      const { decryptMessage, decryptGroupMessage } = repository

      async function decrypt(ciphertext: Uint8Array, work: () => Promise<Uint8Array>) {
        const { plaintext, row } = await keys.transaction(async () => {
          if (isUp) throw new Error('this socket has ended')
          const known = journal.plaintextOf(ciphertext)
          if (known) return { plaintext: known, row: null }
          const plaintext = await work()
          const row = journal.entry(ciphertext, plaintext)
          if (row) await keys.set(journalled(row, plaintext))
          return { plaintext, row }
        }, lockOf(creds))
        if (row) journal.keep(row)
        return plaintext
      }

      repository.decryptMessage = given => decrypt(given.ciphertext, () => decryptMessage(given))
      repository.decryptGroupMessage = given => decrypt(given.msg, () => decryptGroupMessage(given))
      return repository
    },
  }
}

/** Types of Baileys know only its own kinds of rows. */
function journalled(row: { id: string; value: Entry }, plaintext: Uint8Array): object {
  const secret = secretIn(row.value.attrs, plaintext)
  return {
    [JOURNAL]: { [row.id]: row.value },
    ...(secret && { [MESSAGE_SECRET]: { [secret.id]: secret.value } }),
  }
}

/** Waits, but not for ever, until a socket behind its fence has finished decrypting, sending and writing. */
export async function drain(sock: WASocket): Promise<void> {
  const idle = async () => {}
  const { keys, creds } = sock.authState
  const finished = Promise.all([sock.messageMutex.mutex(idle), keys.transaction(idle, lockOf(creds))])
  await withinMs(DRAIN_MS, finished)
}
