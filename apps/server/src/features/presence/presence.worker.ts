import { randomUUID } from 'node:crypto'
import type { TicketPresence } from '@balcao/contract/presence.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { LRUCache } from 'lru-cache'
import type { ReportTools, Screen } from '../../platform/live/live.ts'
import { perProduct } from '../../platform/memory.ts'
import type { Scope } from '../../platform/scope.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import {
  MOVED_TOPIC,
  type MovedNotice,
  REPORTS_TOPIC,
  type Report,
  type ReportsNotice,
} from './presence.events.ts'
import { selectTicketState } from './presence.queries.ts'
import { Board } from './presence.rules.ts'

/** Changes of this time (ms) are pushed, and signalled to other processes, together. */
const TURN_MS = 1_000
/** One screen receives so many in a turn; the others follow in the next. */
const MOST_A_TURN = 20
/** How long (ms) the readers of a ticket are believed, should the signal of a move be lost. */
const BELIEVED_MS = 60_000
/** So often the readers of a ticket are read while tickets move. */
const MOST_READS = 3
/** Tickets whose readers are remembered. */
const MOST_KNOWN = 20_000

type Push = (presence: TicketPresence) => void

interface Follower {
  screen: Screen
  push: Push
  /** Null: it did not report which, and follows all that it may read. */
  followed: Set<number> | null
  /** What it is yet to receive. */
  owed: Set<number>
}

interface Company {
  board: Board
  followers: Map<string, Follower>
}

/**
 * The presence of all companies as this process knows it: its screens report here, other processes by signals. Nothing of it
 * is stored; whoever may read a ticket is asked of the database once a minute a ticket.
 */
export const livePresence = perProduct<LivePresence, ReportTools>(tools => new LivePresence(tools))

export class LivePresence {
  readonly #me = randomUUID()
  readonly #signals: ReportTools['signals']
  readonly #companies = new Map<number, Company>()
  readonly #states = new LRUCache<string, { state: TicketState | null; readAt: number }>({ max: MOST_KNOWN })
  readonly #toSignal = new Map<string, Report>()
  /** Counts the signals of moves. */
  #moves = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ signals }: ReportTools) {
    this.#signals = signals
    signals.listen(REPORTS_TOPIC, notice => this.#receive(notice as ReportsNotice))
    signals.listen(MOVED_TOPIC, notice => this.#move(notice as MovedNotice))
  }

  open(screen: Screen, push: Push): void {
    const follower = { screen, push, followed: null, owed: new Set<number>() }
    this.#of(screen.companyId).followers.set(screen.id, follower)
  }

  close(screen: Screen): void {
    this.#companies.get(screen.companyId)?.followers.delete(screen.id)
    this.report({ companyId: screen.companyId, screen: screen.id, at: null })
  }

  /** Whether the screen reported which tickets it shows. */
  follows(screen: Screen): boolean {
    return Boolean(this.#companies.get(screen.companyId)?.followers.get(screen.id)?.followed)
  }

  /** The screen shows these tickets from now on: it is owed the presence of those that are new. */
  follow(screen: Screen, ticketIds: number[]): void {
    const { board, followers } = this.#of(screen.companyId)
    const follower = followers.get(screen.id)
    if (!follower) return
    const occupied = new Set(board.tickets())
    const before = follower.followed
    follower.followed = new Set(ticketIds)
    for (const id of follower.owed) if (!follower.followed.has(id)) follower.owed.delete(id)
    for (const id of ticketIds) if (!before?.has(id) && occupied.has(id)) follower.owed.add(id)
    if (follower.owed.size > 0) this.#wake()
  }

  report(report: Report): void {
    this.#apply(report)
    if (this.#signals.isShared) this.#toSignal.set(report.screen, report)
  }

  of(companyId: number, ticketId: number) {
    return this.#of(companyId).board.of(ticketId)
  }

  /** Who may read a ticket, as far as it depends on the ticket; null where there is none. */
  async stateOf(scope: Scope, ticketId: number): Promise<TicketState | null> {
    const key = `${scope.companyId}:${ticketId}`
    const known = this.#states.get(key)
    const now = performance.now()
    if (known && now - known.readAt < BELIEVED_MS) return known.state
    let state: TicketState | null = null
    for (let read = 0, moves = -1; read < MOST_READS && moves !== this.#moves; read++) {
      moves = this.#moves
      // what moved during the read may be this one
      state = await scope.read(tx => selectTicketState(tx, ticketId))
    }
    this.#states.set(key, { state, readAt: now })
    return state
  }

  #receive({ from, reports }: ReportsNotice) {
    if (from !== this.#me) for (const report of reports) this.#apply(report)
  }

  #apply({ companyId, screen, at }: Report) {
    const { board } = this.#of(companyId)
    const now = performance.now()
    if (at === null) board.leave(screen)
    else {
      // what other processes report names a ticket that this one need not have read
      const key = `${companyId}:${at.ticketId}`
      const known = this.#states.get(key)
      if (!known || now - known.readAt >= BELIEVED_MS) this.#states.set(key, { state: at.state, readAt: now })
      board.sit(screen, at, now)
    }
    this.#wake()
  }

  #move({ companyId, ticketId, state }: MovedNotice) {
    const key = `${companyId}:${ticketId}`
    this.#moves++
    if (!this.#states.has(key)) return
    this.#states.set(key, { state, readAt: performance.now() })
    this.#companies.get(companyId)?.board.moved(ticketId)
    this.#wake()
  }

  #of(companyId: number): Company {
    const known = this.#companies.get(companyId)
    if (known) return known
    const company: Company = { board: new Board(), followers: new Map() }
    this.#companies.set(companyId, company)
    return company
  }

  #wake() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#turn()
    }, TURN_MS).unref()
  }

  #turn() {
    if (this.#toSignal.size > 0)
      this.#signals.notify(REPORTS_TOPIC, { from: this.#me, reports: [...this.#toSignal.values()] })
    this.#toSignal.clear()
    const now = performance.now()
    let isOver = true
    for (const [companyId, company] of this.#companies) {
      const { board, followers } = company
      board.expire(now)
      owe(company, board.takeChanged())
      for (const follower of followers.values()) this.#push(companyId, company, follower)
      const waits = [...followers.values()].some(({ owed }) => owed.size > 0)
      if (waits || !board.isEmpty) isOver = false
      else if (followers.size === 0) this.#companies.delete(companyId)
    }
    if (!isOver) this.#wake()
  }

  #push(companyId: number, { board }: Company, { screen, push, owed }: Follower) {
    let left = MOST_A_TURN
    for (const ticketId of owed) {
      if (left-- === 0) return
      owed.delete(ticketId)
      const state = this.#states.get(`${companyId}:${ticketId}`)?.state
      if (state && canRead(screen.viewer(), state)) push(board.of(ticketId))
    }
  }
}

function owe({ followers }: Company, changed: number[]) {
  if (changed.length === 0) return
  for (const { followed, owed } of followers.values())
    for (const ticketId of changed) if (!followed || followed.has(ticketId)) owed.add(ticketId)
}
