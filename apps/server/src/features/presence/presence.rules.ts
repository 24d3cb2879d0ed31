import { TicketDoing, type TicketPresence } from '@balcao/contract/presence.ts'

/** So long (ms) a report counts: two that are lost in a row change nothing, and a closed lid is known within 10 s. */
export const COUNTS_MS = 7_000

/** Where one screen is. */
interface Seat {
  ticketId: number
  user: { id: number; name: string }
  doing: TicketDoing
  until: number
}

/** The users in one ticket, each once: of several screens the strongest doing counts. In the order of their ids. */
export function presenceOf(ticketId: number, seats: Iterable<Pick<Seat, 'user' | 'doing'>>): TicketPresence {
  const users = new Map<number, TicketPresence['users'][number]>()
  for (const { user, doing } of seats) {
    const known = users.get(user.id)
    if (!known || strength(doing) > strength(known.doing)) users.set(user.id, { ...user, doing })
  }
  return { ticketId, users: [...users.values()].sort((a, b) => a.id - b.id) }
}

const strength = (doing: TicketDoing) => TicketDoing.options.indexOf(doing)

/**
 * Who is where in one company. A screen is in one ticket at a time, until it reports again, leaves, or its last report is too
 * old by the monotonic clock that each call is given.
 */
export class Board {
  readonly #seats = new Map<string, Seat>()
  readonly #tickets = new Map<number, Set<string>>()
  /** Tickets whose presence is another than when it was last taken. */
  readonly #changed = new Set<number>()

  sit(screen: string, { ticketId, user, doing }: Omit<Seat, 'until'>, now: number): void {
    const before = this.#seats.get(screen)
    const stays = before?.ticketId === ticketId
    if (!stays) this.leave(screen)
    this.#seats.set(screen, { ticketId, user, doing, until: now + COUNTS_MS })
    if (stays && before.doing === doing && before.user.name === user.name) return
    const screens = this.#tickets.get(ticketId) ?? new Set()
    this.#tickets.set(ticketId, screens.add(screen))
    this.#changed.add(ticketId)
  }

  leave(screen: string): void {
    const seat = this.#seats.get(screen)
    if (!seat) return
    this.#seats.delete(screen)
    const screens = this.#tickets.get(seat.ticketId)
    screens?.delete(screen)
    if (screens?.size === 0) this.#tickets.delete(seat.ticketId)
    this.#changed.add(seat.ticketId)
  }

  expire(now: number): void {
    for (const [screen, { until }] of this.#seats) if (until <= now) this.leave(screen)
  }

  /** Its readers are others by now. */
  moved(ticketId: number): void {
    if (this.#tickets.has(ticketId)) this.#changed.add(ticketId)
  }

  of(ticketId: number): TicketPresence {
    const screens = [...(this.#tickets.get(ticketId) ?? [])]
    return presenceOf(
      ticketId,
      screens.map(screen => this.#seats.get(screen)!),
    )
  }

  /** Tickets in which somebody is. */
  tickets(): number[] {
    return [...this.#tickets.keys()]
  }

  takeChanged(): number[] {
    const all = [...this.#changed]
    this.#changed.clear()
    return all
  }

  get isEmpty(): boolean {
    return this.#seats.size === 0 && this.#changed.size === 0
  }
}
