// What libsignal 6 prints on the console; the first of these print whole sessions, private keys included.
const SIGNAL_CHATTER =
  /^(Closing session|Opening session|Removing old closed session|Session already|Closing open session|Closing stale open session|Migrating session|Decrypted message with closed|Failed to decrypt message with any|Session error)/

let isQuiet = false

/**
 * Keeps libsignal's remarks, keys among them, off this process's console. Does nothing the second time. libsignal 6.0.0
 * speaks to the console itself and takes no log; `console.test.ts` fails when its words change.
 */
export function quietLibsignal(): void {
  if (isQuiet) return
  isQuiet = true
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    const print = console[level].bind(console)
    console[level] = (...words: unknown[]) => {
      if (typeof words[0] === 'string' && SIGNAL_CHATTER.test(words[0])) return
      print(...words)
    }
  }
}
