import { DEFAULT_CONNECTION_CONFIG, type SocketConfig, type WASocket } from 'baileys'
import type { Journal } from './journal.ts'
import { withinMs } from './patience.ts'

/** How long a socket may finish what it is doing before the next one opens. */
const DRAIN_MS = 5_000

/** Stands before the decryption of one socket. */
export interface Fence {
  makeSignalRepository: SocketConfig['makeSignalRepository']
  /** Decrypts nothing more: what still arrives stays untouched, and the server delivers it again. */
  raise(): void
}

/**
 * Baileys locks sends and decryptions by different names and commits a decryption before anybody has heard of it.
 * Here both take the same lock, and the plaintext is committed with the change of its session.
 */
export function createFence(journal: Journal, creds: Named): Fence {
  let isUp = false
  return {
    raise() {
      isUp = true
    },
    makeSignalRepository(auth, logger, findLids) {
      const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, findLids)
      const { decryptMessage, decryptGroupMessage } = repository
      const keys = auth.keys as LockedKeys

      async function decrypt(ciphertext: Uint8Array, work: () => Promise<Uint8Array>) {
        const { plaintext, row } = await keys.transaction(async () => {
          if (isUp) throw new Error('this socket has ended')
          const plaintext = await work()
          const row = journal.entry(ciphertext, plaintext)
          if (row) await keys.set({ 'inbox-journal': { [row.id]: row.value } } as never)
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

/** Waits, but not for ever, until a socket behind its fence has finished decrypting, sending and writing. */
export async function drain(sock: WASocket): Promise<void> {
  const idle = async () => {}
  const { keys, creds } = sock.authState
  const finished = Promise.all([sock.messageMutex.mutex(idle), keys.transaction(idle, lockOf(creds))])
  await withinMs(DRAIN_MS, finished)
}

type LockedKeys = WASocket['authState']['keys']

interface Named {
  me?: { id: string }
}

/** The name under which Baileys locks its sends. */
const lockOf = ({ me }: Named) => me?.id ?? 'nobody'
