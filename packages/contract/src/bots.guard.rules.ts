import type { BotState } from './bots.talk.ts'
import { cut } from './cut.rules.ts'

/** Limits that stop loops between two machines without stopping people, who also repeat themselves and walk through menus. */

const WINDOW_MS = 10 * 60_000
/** Answers in a row to questions that led nowhere new. */
const MOST_IDLE = 8
const MOST_TURNS = 40
/** Wrong answers in a row, also where the setup limits none. */
const MOST_WRONG = 30
/** The same choice in a row. */
const MOST_SAME_CHOICE = 8
/** Texts of this length are not typed three times by a person who is answered. */
const LONG = 20
const SAME = 3
/** Lines within this time are one turn. */
const ONE_TURN_MS = 3_000

type Guard = BotState['guard']

export const newGuard = (): Guard => ({
  ...{ idle: 0, seen: [], heard: [], turns: [] },
  ...{ choice: null, same: 0, caught: false },
})

/** The guard after one more text that chose nothing. */
export function watched(guard: Guard, text: string, at: number): Guard {
  const turns = turnsWith(guard, at)
  const quiet = guard.turns.every(turn => turn <= at - WINDOW_MS)
  const typed = text.trim().toLowerCase()
  const received = typed.length < LONG ? guard.heard : [...guard.heard, cut(typed, 60)].slice(-8)
  return { ...guard, turns, heard: quiet ? received.slice(-1) : received, idle: quiet ? 0 : guard.idle }
}

/** The guard after one more valid choice, which counts only where it is always the same. */
export const chose = (guard: Guard, choice: number, at: number): Guard => ({
  ...guard,
  ...{ idle: 0, heard: [], turns: turnsWith(guard, at) },
  ...{ choice, same: choice === guard.choice ? guard.same + 1 : 1 },
})

const turnsWith = ({ turns }: Guard, at: number) => {
  const recent = turns.filter(turn => turn > at - WINDOW_MS)
  const last = recent.at(-1)
  return last !== undefined && at - last < ONE_TURN_MS ? recent : [...recent, at].slice(-MOST_TURNS - 1)
}

/** Whether the sender is considered a machine. */
export function isMachine({ idle, turns, heard, same }: Guard, errors: number): boolean {
  const last = heard.at(-1)
  const isRepeated = heard.filter(text => text === last).length >= SAME
  return (
    isRepeated ||
    idle >= MOST_IDLE ||
    turns.length > MOST_TURNS ||
    errors >= MOST_WRONG ||
    same >= MOST_SAME_CHOICE
  )
}

/** The guard after an answer that reached these commands. */
export function progressed(guard: Guard, reached: number[]): Guard {
  const fresh = reached.filter(commandId => !guard.seen.includes(commandId))
  return fresh.length > 0
    ? { ...guard, idle: 0, seen: [...guard.seen, ...fresh].slice(-100) }
    : { ...guard, idle: guard.idle + 1 }
}
