import type { BotState } from './bots.talk.ts'
import { cut } from './cut.rules.ts'

/** Limits that stop loops between two machines without stopping people, who also repeat themselves. */

const WINDOW_MS = 10 * 60_000
/** Consecutive turns without progress: more than a customer needs to make every tolerated mistake. */
const MOST_IDLE = 8
const MOST_TURNS = 25
/** Texts of this length are not typed three times by a person. */
const LONG = 20
const SAME = 3

type Guard = BotState['guard']

export const newGuard = (): Guard => ({ idle: 0, seen: [], heard: [], turns: [] })

/** The guard after one more message. */
export function watched(guard: Guard, text: string, at: number): Guard {
  const turns = [...guard.turns.filter(turn => turn > at - WINDOW_MS), at].slice(-MOST_TURNS - 1)
  const quiet = turns.length === 1
  const typed = text.trim().toLowerCase()
  const received = typed.length < LONG ? guard.heard : [...guard.heard, cut(typed, 60)].slice(-8)
  return { ...guard, turns, heard: quiet ? received.slice(-1) : received, idle: quiet ? 0 : guard.idle }
}

/** Whether the sender is considered a machine. */
export function isMachine({ idle, turns, heard }: Guard): boolean {
  const last = heard.at(-1)
  return idle >= MOST_IDLE || turns.length > MOST_TURNS || heard.filter(text => text === last).length >= SAME
}

/** The guard after a turn that reached these commands. */
export function progressed(guard: Guard, reached: number[]): Guard {
  const fresh = reached.filter(commandId => !guard.seen.includes(commandId))
  return fresh.length > 0
    ? { ...guard, idle: 0, seen: [...guard.seen, ...fresh].slice(-100) }
    : { ...guard, idle: guard.idle + 1 }
}
