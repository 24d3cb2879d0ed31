import type { Channel, Route } from '@balcao/contract/kit.ts'
import { gapChannel } from '@balcao/contract/live.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import type { Secrets } from '../access/secrets.ts'
import { type Emitted, type Event, following } from '../events.ts'
import type { HasMemory } from '../memory.ts'
import type { Scope } from '../scope.ts'
import type { Signals } from './signals.ts'

/** Rooms are named by the server and begin with the company: no name from a client opens one. */
export type Room = `company:${number}:${string}`

export const everyone = (companyId: number): Room => `company:${companyId}:everyone`
export const admins = (companyId: number): Room => `company:${companyId}:admins`
export const oneUser = (companyId: number, userId: number): Room => `company:${companyId}:user:${userId}`
export const queueMembers = (companyId: number, queueId: number | null): Room =>
  `company:${companyId}:queue:${queueId ?? 'none'}`
/** Of the members of a queue who see only own customers, the one whose customer it is. They are not in the queue's own room. */
export const ofCustomers = (room: Room, ownerId: number): Room => `${room}:owner:${ownerId}`
/** All members of a queue, also those who see only own customers: for what is not about one customer. */
export const allMembers = (companyId: number, queueId: number | null): Room[] => [
  queueMembers(companyId, queueId),
  `${queueMembers(companyId, queueId)}:limited`,
]
/** Users who see only own customers, and all others. */
export const limited = (companyId: number): Room => `company:${companyId}:limited`
export const unlimited = (companyId: number): Room => `company:${companyId}:unlimited`
/** Users who see the whole team without being admins. */
export const teamWatchers = (companyId: number): Room => `company:${companyId}:team`
/** Users who see the company's plan and invoices. */
export const payers = (companyId: number): Room => `company:${companyId}:payers`
/** Users of any company who operate the platform. No company has the number 0. */
export const masters: Room = 'company:0:masters'
/** Members of a room who may read waiting tickets; admins all may. */
export const lookingInto = (room: Room): Room => `${room}:waiting`
/** Every screen there is. */
export const screens: Room = 'company:0:screens'
/** Visitors of the operator: nothing of the company is pushed here. */
export const visitors = (companyId: number): Room => `company:${companyId}:visitors`
/** Visitors who opened this conversation. */
export const visitedTicket = (companyId: number, ticketId: number): Room =>
  `company:${companyId}:visited:${ticketId}`
export const notAdmins = (companyId: number): Room => `company:${companyId}:attendants`

export type SendPush = <C extends Channel>(
  channel: C,
  rooms: Room | Room[],
  payload: z.input<C['payload']>,
  /** Members of these rooms do not receive it, whatever other rooms they are in. */
  except?: Room[],
) => void

/** Pushes to these rooms were lost: their screens fetch. */
export const publishGap = (push: SendPush, rooms: Room | Room[]) => push(gapChannel, rooms, {})

export interface LiveTools extends HasMemory {
  secrets: Secrets
  signals: Signals
}

/** Which event goes to which audience, on which channel. */
export interface Live {
  kind: 'push'
  event: Event<unknown>
  send(emitted: Emitted, companyId: number, push: SendPush, tools: LiveTools): void
}

export const publish = <Payload>(
  event: Event<Payload>,
  send: (companyId: number, payload: Payload, push: SendPush, tools: LiveTools) => void,
): Live => ({
  kind: 'push',
  event,
  send: following(event, (payload, companyId: number, push: SendPush, tools: LiveTools) =>
    send(companyId, payload, push, tools),
  ),
})

/** The event of a list is the payload of its channel, for everyone of the company. */
export const pushList = <C extends Channel>(channel: C, event: Event<z.input<C['payload']>>): Live =>
  publish(event, (companyId, payload, push) => push(channel, everyone(companyId), payload))

/** A room that a client asks for: the server decides in the scope of the client, by its rights where they suffice. */
export interface Join {
  kind: 'join'
  emitted: string
  room(scope: Scope, asked: unknown): Promise<Room | null> | Room | null
  /** The room for a visitor, and the call as which the look is recorded. Without this a visitor joins nothing. */
  visitor?(scope: Scope, asked: unknown): { room: Room; route: Route; params: unknown } | null
}

export const join = (emitted: string, rooms: Pick<Join, 'room' | 'visitor'>): Join => ({
  kind: 'join',
  emitted,
  ...rooms,
})

/** A socket as features see it, from its opening to its end. */
export interface Screen {
  id: string
  companyId: number
  /** With its rights of now. */
  viewer(): Viewer
  scope(): Scope
  /** To this one alone. It may be lost: what is pushed is a state that follows anew. */
  push<C extends Channel>(channel: C, payload: z.input<C['payload']>): void
}

/** What screens report about themselves, again and again, and what begins and ends with them. Visitors report nothing. */
export interface Reports {
  kind: 'reports'
  opened(screen: Screen, tools: ReportTools): void
  closed(screen: Screen, tools: ReportTools): void
  /** By the name of the socket's event. What is thrown is logged, and answers nothing. */
  events: Record<string, (screen: Screen, reported: unknown, tools: ReportTools) => Promise<void> | void>
}

export type ReportTools = Pick<LiveTools, 'memory' | 'signals'>

export const reports = (given: Omit<Reports, 'kind'>): Reports => ({ kind: 'reports', ...given })
