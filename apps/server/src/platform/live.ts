import type { Channel } from '@balcao/contract/kit.ts'
import type { z } from 'zod'
import type { Event } from './events.ts'
import type { Tx } from './scope.ts'
import type { Secrets } from './secrets.ts'

/** Rooms are named by the server and begin with the company: no name from a client opens one. */
export type Room = `company:${number}:${string}`

export const everyone = (companyId: number): Room => `company:${companyId}:everyone`
export const admins = (companyId: number): Room => `company:${companyId}:admins`
export const oneUser = (companyId: number, userId: number): Room => `company:${companyId}:user:${userId}`
export const queueMembers = (companyId: number, queueId: number | null): Room =>
  `company:${companyId}:queue:${queueId ?? 'none'}`
/** Of whatever company: they run the platform. No company has this number. */
export const masters: Room = 'company:0:masters'
export const notAdmins = (companyId: number): Room => `company:${companyId}:attendants`

export type Push = <C extends Channel>(
  channel: C,
  rooms: Room | Room[],
  payload: z.input<C['payload']>,
) => void

/** Which event goes to which audience, on which channel. */
export interface Live {
  event: Event<unknown>
  tell(companyId: number, news: never, push: Push, secrets: Secrets): void
}

export const announce = <News>(
  event: Event<News>,
  tell: (companyId: number, news: News, push: Push, secrets: Secrets) => void,
): Live => ({ event, tell })

/** A room that a client asks for: the server decides, in the asker's scope. */
export interface Join {
  emitted: string
  room(tx: Tx, asked: unknown): Promise<Room | null>
}
