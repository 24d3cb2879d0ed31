import type { Namespace } from 'socket.io'
import {
  type BroadcastOptions,
  ClusterAdapterWithHeartbeat,
  type ClusterMessage,
  type ClusterResponse,
  type Session,
} from 'socket.io-adapter'
import { type Exchange, OF_PROCESSES } from '../exchange.ts'
import { MOST_KEPT, RECOVERY_MS } from './recovery.ts'

/**
 * Carries pushes between processes over the exchange (exchange.ts). A process pushes to its own screens where it reads its own
 * message again, so all processes have the same pushes in the same order under the same ids, and a screen that changes the
 * process gets what it missed: the process that it left gives its session to the others. Nothing is written to a table.
 */
export const adapterOver = (exchange: Exchange) =>
  function adapterOf(lobby: Namespace) {
    return new ExchangeAdapter(lobby, exchange)
  }

interface Packet {
  type: number
  data: unknown[]
  id?: number
}

type Kept = Pick<Session, 'sid' | 'pid' | 'rooms' | 'data'> & {
  /** The last push that the screen got, and the last place in the order that its process had read then. */
  last: string | null
  seen: string | null
  until: number
}

/** A place in the order, with its push where it is one. */
interface Place {
  id: string
  at: number
  push?: { data: unknown[]; opts: BroadcastOptions }
}

type Message =
  | { is: 'push'; packet: Packet; rooms: string[]; except: string[] }
  | { is: 'session'; session: Omit<Kept, 'until'> }
  | { is: 'begun' }

type Question =
  | { is: 'message'; message: ClusterMessage }
  | { is: 'answer'; to: string; answer: ClusterResponse }

const EVENT = 2

class ExchangeAdapter extends ClusterAdapterWithHeartbeat {
  readonly #exchange: Exchange
  #places: Place[] = []
  readonly #sessions = new Map<string, Kept>()

  constructor(lobby: Namespace, exchange: Exchange) {
    super(lobby, {})
    this.#exchange = exchange
    exchange.hear('screens', (text, id) => this.#read(JSON.parse(text), id))
    exchange.hear('processes', text => this.#answer(text))
    this.#say(OF_PROCESSES, { is: 'begun' }, id => id && this.#note(id))
  }

  override async broadcast(packet: Packet, opts: BroadcastOptions) {
    if (opts.flags?.local) return this.#push(packet, opts)
    const { rooms, except } = listed(opts)
    this.#say(companyOf(rooms), { is: 'push', packet, rooms, except }, id => this.#push(packet, opts, id))
  }

  override persistSession({ sid, pid, rooms, data }: Session) {
    const of = { sid, pid, rooms: [...rooms], data }
    const last = this.#places.findLast(({ push }) => push && isFor(of.rooms, push.opts))?.id ?? null
    const session = { ...of, last, seen: this.#places.at(-1)?.id ?? null }
    this.#keep(session)
    this.#say(companyOf(of.rooms), { is: 'session', session }, id => id && this.#note(id))
  }

  override restoreSession(pid: string, offset: string) {
    const kept = this.#sessions.get(pid)
    if (!kept || kept.until < performance.now()) return null!
    const { sid, rooms, data } = kept
    const after = this.#indexOf(offset) ?? (offset === kept.last ? this.#indexOf(kept.seen) : null)
    if (after === null) return null!
    const missedPackets = this.#places
      .slice(after + 1)
      .flatMap(({ push }) => (push && isFor(rooms, push.opts) ? [push.data] : []))
    return Promise.resolve({ sid, pid, rooms, data, missedPackets })
  }

  protected override async doPublish(message: ClusterMessage) {
    this.#ask({ is: 'message', message })
    return ''
  }

  protected override async doPublishResponse(to: string, answer: ClusterResponse) {
    this.#ask({ is: 'answer', to, answer })
  }

  #say(company: number, message: Message, placed: (id: string | null) => void) {
    this.#exchange.send({ channel: 'screens', company, text: JSON.stringify(message), placed })
  }

  #ask(question: Question) {
    this.#exchange.send({
      channel: 'processes',
      company: OF_PROCESSES,
      text: `? ${JSON.stringify(question)}`,
    })
  }

  #answer(text: string) {
    if (!text.startsWith('? ')) return
    const question: Question = JSON.parse(text.slice(2))
    if (question.is === 'message') this.onMessage(question.message)
    else if (question.to === this.uid) this.onResponse(question.answer)
  }

  #read(message: Message, id: string) {
    if (message.is === 'push') {
      const { packet, rooms, except } = message
      return this.#push(packet, { rooms: new Set(rooms), except: new Set(except) }, id)
    }
    if (message.is === 'session') this.#keep(message.session)
    this.#note(id)
  }

  /** The id is the last of the data: the client names the last that it got when it comes back. */
  #push(packet: Packet, opts: BroadcastOptions, id: string | null = null) {
    const data = id && packet.type === EVENT && packet.id === undefined ? [...packet.data, id] : packet.data
    if (id) this.#note(id, { data, opts })
    return super.broadcast({ ...packet, data }, { ...opts, flags: { ...opts.flags, local: true } })
  }

  #note(id: string, push?: Place['push']) {
    if (!this.#exchange.hasScreens) return
    const now = performance.now()
    this.#places.push({ id, at: now, ...(push && { push }) })
    // a tenth at a time, since what is behind moves up
    if (this.#places.length <= MOST_KEPT * 1.1 && now - this.#places[0]!.at < RECOVERY_MS * 1.1) return
    const from = this.#places.findIndex(({ at }) => now - at < RECOVERY_MS)
    this.#places = this.#places.slice(Math.max(from, this.#places.length - MOST_KEPT))
  }

  #keep(session: Omit<Kept, 'until'>) {
    const now = performance.now()
    for (const [pid, { until }] of this.#sessions) {
      if (until > now && this.#sessions.size < MOST_KEPT) break
      this.#sessions.delete(pid)
    }
    this.#sessions.set(session.pid, { ...session, until: now + RECOVERY_MS })
  }

  #indexOf(id: string | null) {
    const at = id === null ? -1 : this.#places.findLastIndex(place => place.id === id)
    return at < 0 ? null : at
  }
}

const listed = ({ rooms, except = new Set() }: BroadcastOptions) => ({
  rooms: [...rooms],
  except: [...except],
})

/** Rooms are named with their company (live.ts). */
const companyOf = (rooms: string[]) =>
  Number(rooms.find(room => room.startsWith('company:'))?.split(':')[1] ?? OF_PROCESSES)

const isFor = (rooms: string[], opts: BroadcastOptions) =>
  (opts.rooms.size === 0 || rooms.some(room => opts.rooms.has(room))) &&
  !rooms.some(room => opts.except?.has(room))
