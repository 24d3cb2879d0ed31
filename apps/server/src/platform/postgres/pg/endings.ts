import type pg from 'pg'
import { isConnectionFailure } from '../../errors.ts'

/** Why its connection broke: pg reports it to its listeners, and not to who sends the next statement. */
type Ended = pg.ClientBase & { ending?: unknown }

export const keepEnding = (client: Ended): unknown =>
  client.on('error', error => {
    client.ending ??= error
  })

const BROKEN = 'the connection broke before the transaction ended'

/** The error of a statement with what broke its connection before, where that is known. */
export function withEnding({ ending }: Ended, error: unknown): unknown {
  return ending && isConnectionFailure(error) ? new AggregateError([ending, error], BROKEN) : error
}
