import type { Dice } from './dice.ts'

const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
/** The clock of the shop, whose days the figures show. */
const SHOP = -3 * HOUR

/** How many write in an hour of the day, in proportion. */
const hours = [
  ...[0.03, 0.02, 0.01, 0.01, 0.01, 0.02, 0.05, 0.2, 0.7, 1, 1.2, 1.1],
  ...[0.7, 0.9, 1.1, 1.1, 1, 0.9, 0.6, 0.35, 0.2, 0.15, 0.1, 0.06],
]
/** From Sunday on. */
const weekdays = [0.15, 1.15, 1.05, 1, 1, 0.95, 0.5]
/** January buys little, November is full of offers. */
const months = [0.8, 0.85, 0.95, 1, 1.05, 1, 0.95, 0.95, 1, 1.05, 1.8, 1.15]
/** Of as many as write today, so many did a year ago. */
const A_YEAR_AGO = 0.45

interface Span {
  from: number
  until: number
  many: number
}

/** So many moments at which customers first write, oldest first, as a shop gets them that has grown up to `now`. */
export function startsBetween(chance: Dice, { from, until, many }: Span, now: number): number[] {
  const slots = Array.from({ length: Math.floor((until - from) / HOUR) }, (_, place) => from + place * HOUR)
  const weights = slots.map(at => busyAt(at, now))
  const share = weights.reduce((sum, weight) => sum + weight, 0) / many
  let slot = 0
  let passed = weights[0]!
  return Array.from({ length: many }, (_, place) => {
    const wanted = (place + chance.between(0, 999) / 1_000) * share
    while (passed <= wanted && slot < slots.length - 1) passed += weights[++slot]!
    return slots[slot]! + chance.between(0, HOUR - 1)
  }).sort((a, b) => a - b)
}

function busyAt(at: number, now: number): number {
  const there = new Date(at + SHOP)
  const grown = Math.max(A_YEAR_AGO, 1 - (1 - A_YEAR_AGO) * ((now - at) / YEAR))
  return hours[there.getUTCHours()]! * weekdays[there.getUTCDay()]! * months[there.getUTCMonth()]! * grown
}
