import type { Channel } from '@balcao/contract/kit.ts'
import { gapChannel } from '@balcao/contract/live.ts'
import type { z } from 'zod'
import type { Event } from './events.ts'
import type { Scope } from './scope.ts'
import type { Secrets } from './secrets.ts'

/** Rooms are named by the server and begin with the company: no name from a client opens one. */
export type Room = `company:${number}:${string}`

export const everyone = (companyId: number): Room => `company:${companyId}:everyone`
export const admins = (companyId: number): Room => `company:${companyId}:admins`
export const oneUser = (companyId: number, userId: number): Room => `company:${companyId}:user:${userId}`
export const queueMembers = (companyId: number, queueId: number | null): Room =>
  `company:${companyId}:queue:${queueId ?? 'none'}`
/** Who sees what the company pays for. */
export const payers = (companyId: number): Room => `company:${companyId}:payers`
/** Of whatever company: they run the platform. No company has this number. */
export const masters: Room = 'company:0:masters'
/** Those of a room who may look into what waits; admins all may. */
export const lookingInto = (room: Room): Room => `${room}:waiting`
/** Every screen there is. */
export const screens: Room = 'company:0:screens'
export const notAdmins = (companyId: number): Room => `company:${companyId}:attendants`

export type SendPush = <C extends Channel>(
  channel: C,
  rooms: Room | Room[],
  payload: z.input<C['payload']>,
  /** Who stands in one of these does not hear it, whatever else he stands in. */
  except?: Room[],
) => void

/** News were lost on their way to these rooms: whoever stands there looks for himself. */
export const tellGap = (push: SendPush, rooms: Room | Room[]) => push(gapChannel, rooms, {})

/** Which event goes to which audience, on which channel. */
export interface Live {
  event: Event<unknown>
  tell(companyId: number, payload: never, push: SendPush, secrets: Secrets): void
}

export const publish = <Payload>(
  event: Event<Payload>,
  tell: (companyId: number, payload: Payload, push: SendPush, secrets: Secrets) => void,
): Live => ({ event, tell })

/** The event of a list says what its channel says, to everyone of the company. */
export const pushList = <C extends Channel>(channel: C, event: Event<z.input<C['payload']>>): Live =>
  publish(event, (companyId, payload, push) => push(channel, everyone(companyId), payload))

/** A room that a client asks for: the server decides, in the asker's scope, from its rights where they say enough. */
export interface Join {
  emitted: string
  room(scope: Scope, asked: unknown): Promise<Room | null> | Room | null
}
