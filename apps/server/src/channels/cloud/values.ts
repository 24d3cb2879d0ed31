import { z } from 'zod'
import { databaseNow } from '../../platform/clock.ts'

/** An id as long as the rest of the product takes it. */
export const Id = z.string().max(500)

/** Whatever should be a text. */
export const asText = (given: unknown): string => (typeof given === 'string' ? given : '')

/** Whatever should be a list, without what is nothing. */
export const listedIn = <T>(given: T[] | undefined): T[] =>
  Array.isArray(given) ? given.filter(Boolean) : []

/** How our messages are named on both sides. */
export interface Names {
  /** Ours for one of Meta's; the same when it is not ours. */
  ours(wamid: string): string
  /** Whether it was sent from here. */
  isOurs(wamid: string): boolean
  /** Whether the company wrote it, here or on its phone. */
  isOfCompany(wamid: string): boolean
  /** Meta's id of our message, once known; a later try has another one than the first. */
  theirs(externalId: string): string | undefined
  /** When our message was last sent whose id at Meta is not known yet. */
  askedAt(externalId: string): number | undefined
}

/** Nothing is from the future; Meta's clock may be a little ahead. */
const AHEAD_MS = 600_000

export function graphTimeOf(seconds: string | number | undefined): string {
  const now = databaseNow()
  const ms = Number(seconds ?? '') * 1000
  return new Date(ms > 0 && ms < now + AHEAD_MS ? ms : now).toISOString()
}
