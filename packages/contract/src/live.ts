import { z } from 'zod'
import { channel } from './kit.ts'

/** News may have been lost on its way to this screen: what it shows is fetched again. To whatever company. */
export const gapChannel = channel('gap', z.object({}))

/** A push that a screen missed: how long ago it was sent (ms), its channel as it was sent, its payload. */
export type MissedPush = [agoMs: number, sentAs: string, payload: unknown]

/**
 * Emitted once by a socket whose screen fetched before it was open, with the milliseconds since then; answers what was
 * pushed to its rooms meanwhile, oldest first. Null: it is not all known, the screen fetches.
 */
export const CATCH_UP = 'catchUp'
export interface CaughtUp {
  missed: MissedPush[] | null
}
