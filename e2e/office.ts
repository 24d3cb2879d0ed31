import { setTimeout as pause } from 'node:timers/promises'
import type { Received } from '../apps/server/testing/smtp.ts'

/** The post office of the run. */
export const office = {
  /** Everything that came to this address, in order. */
  async lettersTo(address: string): Promise<Received[]> {
    const answer = await fetch(process.env.E2E_OFFICE!)
    return ((await answer.json()) as Received[]).filter(({ to }) => to === address)
  },
  /** The newest letter to this address, as soon as there is one more than `after` of them. */
  async letterTo(address: string, after = 0): Promise<Received> {
    for (const end = Date.now() + 30_000; ; await pause(50)) {
      const letters = await office.lettersTo(address)
      if (letters[after]) return letters.at(-1)!
      if (Date.now() > end) throw new Error(`no letter came to ${address}`)
    }
  },
}
