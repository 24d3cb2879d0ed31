import { randomUUID } from 'node:crypto'
import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { QUIET, type Size } from './dataset.ts'
import type { Request } from './load.ts'
import type { Place } from './place.ts'

/** Rows of the bare server: what the product's answers would cost without the product. */
export interface BarePath {
  name: string
  next(place: Place, size: Size): Promise<() => Request>
}

export const KEPT = 'bare: 40 tickets, the text kept and sent again'
export const JOINED = 'bare: 40 tickets joined and written each time'
export const TEN = 'bare: messages, 10 rows'
export const POSTED = 'bare: message inserted, ticket updated, commit'
export const pageOfLong = (page: number) => `bare: messages of 5,000, page ${page}`

const always = (path: string) => async () => () => ({ path })

export const barePaths: BarePath[] = [
  { name: KEPT, next: always('/kept') },
  { name: JOINED, next: always('/joined') },
  {
    name: TEN,
    next: async () => () => ({ path: `/messages/${2 + Math.floor(Math.random() * (QUIET - 2))}` }),
  },
  ...[1, 60, 125].map(page => ({
    name: pageOfLong(page),
    async next(place: Place) {
      const before = page === 1 ? '' : `?before=${await positionBefore(place, page)}`
      return () => ({ path: `/messages/1${before}` })
    },
  })),
  {
    name: POSTED,
    next:
      async (_place, { open }) =>
      () => ({
        method: 'POST',
        path: `/messages/${QUIET + 1 + Math.floor(Math.random() * (open - QUIET))}/1`,
        body: { id: randomUUID(), body: 'Bom dia! Seu pedido sai para entrega amanhã cedo.' },
      }),
  },
]

/** The first row of a page in the middle of the long ticket, precomputed to avoid an offset. */
async function positionBefore(place: Place, page: number) {
  const [row] = await place.query<{ position: string }>(`select position from messages
    where company_id = 1 and ticket_id = 1 order by position desc offset ${(page - 1) * LONG_PAGE - 1} limit 1`)
  return row!.position
}
