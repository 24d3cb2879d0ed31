import type { SocketConfig } from 'baileys'

// Console output of libsignal 6; the first of these print whole sessions, private keys included.
const SIGNAL_CHATTER =
  /^(Closing session|Opening session|Removing old closed session|Session already|Closing open session|Migrating session|Decrypted message with closed|Failed to decrypt message with any|Session error)/

let isQuiet = false

/** Keeps libsignal's remarks off this process's console. Does nothing the second time. */
export function quietLibsignal(): void {
  if (isQuiet) return
  isQuiet = true
  for (const level of ['info', 'warn', 'error'] as const) {
    const say = console[level].bind(console)
    console[level] = (...words: unknown[]) => {
      if (typeof words[0] === 'string' && SIGNAL_CHATTER.test(words[0])) return
      say(...words)
    }
  }
}

const silent = () => {}

/** A Baileys logger that discards everything. */
export const noLogger: SocketConfig['logger'] = {
  level: 'silent',
  child: () => noLogger,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
}
