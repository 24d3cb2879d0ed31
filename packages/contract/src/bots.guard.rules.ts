import type { BotState } from './bots.talk.ts'

/** Two machines that answer each other must stop, and nobody else: people read, wander and repeat themselves too. */

const WINDOW_MS = 10 * 60_000
/** Turns in a row that led nowhere new: more than a customer needs to make every mistake a setup bears. */
const MOST_IDLE = 8
const MOST_TURNS = 25
/** Nobody types that much three times. */
const LONG = 20
const SAME = 3

type Guard = BotState['guard']

export const newGuard = (): Guard => ({ idle: 0, seen: [], heard: [], turns: [] })

/** What the guard knows when one more message has come. */
export function watched(guard: Guard, text: string, at: number): Guard {
  const turns = [...guard.turns.filter(turn => turn > at - WINDOW_MS), at].slice(-MOST_TURNS - 1)
  const quiet = turns.length === 1
  const said = text.trim().toLowerCase()
  const heard = said.length < LONG ? guard.heard : [...guard.heard, said.slice(0, 60)].slice(-8)
  return { ...guard, turns, heard: quiet ? heard.slice(-1) : heard, idle: quiet ? 0 : guard.idle }
}

/** Whether who writes is taken for a machine. */
export function isMachine({ idle, turns, heard }: Guard): boolean {
  const last = heard.at(-1)
  return idle >= MOST_IDLE || turns.length > MOST_TURNS || heard.filter(text => text === last).length >= SAME
}

/** What the guard knows when a turn led to these commands. */
export function progressed(guard: Guard, reached: number[]): Guard {
  const fresh = reached.filter(commandId => !guard.seen.includes(commandId))
  return fresh.length > 0
    ? { ...guard, idle: 0, seen: [...guard.seen, ...fresh].slice(-100) }
    : { ...guard, idle: guard.idle + 1 }
}
