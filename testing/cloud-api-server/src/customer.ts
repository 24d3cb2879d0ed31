import { telling } from './customer-news.ts'
import { type ChatMessage, sentAs } from './customer-says.ts'
import { userId } from './ids.ts'
import type { PhoneNumber } from './phone-number.ts'
import type { CameBy } from './referral.ts'
import type { Sent, Status } from './sent.ts'
import type { State } from './state.ts'
import { tell } from './statuses.ts'

export interface CustomerOptions {
  name?: string
  /** Other spellings under which the number is found, such as with Brazil's ninth digit. */
  aliases?: string[]
  username?: string
  /** False: companies receive only the business-scoped user id. */
  showsNumber?: boolean
}

export interface SaysOptions extends CameBy {
  /** The company's number; default: the server's first one. */
  to?: PhoneNumber
  quotes?: string
  forwarded?: boolean | 'often'
}

/** What a person's phone shows of a company's message. */
export interface Received {
  id: string
  /** Whose message. */
  from: string
  type: string
  text: string
  /** What the bubble quotes. */
  quotes: string | undefined
  status: Status | undefined
  at: number
  content: Sent['content']
}

const TYPING_MS = 25_000

/** A person with WhatsApp, played by the test. */
export class Customer {
  state: State
  number: string
  name: string
  username: string | undefined
  showsNumber: boolean
  aliases: Set<string>
  online = true
  /** Companies that the person blocked, or opted out of marketing from. */
  blocked: Set<PhoneNumber> = new Set()
  noMarketing: Set<PhoneNumber> = new Set()
  /** When the person last wrote to a number, and until when an ad pays. */
  wroteAt: Map<PhoneNumber, number> = new Map()
  freeUntil: Map<PhoneNumber, number> = new Map()
  /** Messages of the person, and what the company's side did with them. */
  wrote: { id: string; to: PhoneNumber; status: 'sent' | 'read'; content: ChatMessage }[] = []
  #typing: { from: PhoneNumber; until: number } | undefined

  constructor(state: State, number: string, options: CustomerOptions = {}) {
    const { name = 'Ana', username, showsNumber = true, aliases = [] } = options
    this.state = state
    this.number = number
    this.name = name
    this.username = username
    this.showsNumber = showsNumber
    this.aliases = new Set(aliases)
  }

  /** Writes to a company. Answers the message's id. */
  says(content: string | ChatMessage, { to = this.#company, ...about }: SaysOptions = {}): string {
    const { clock } = this.state
    const whole = typeof content === 'string' ? { text: content } : content
    const id = sentAs(this, to, whole, about)
    this.wroteAt.set(to, clock.now())
    if (about.referral) this.freeUntil.set(to, clock.now() + 72 * 3_600_000)
    this.wrote.push({ id, to, status: 'sent', content: whole })
    return id
  }

  /** Taps a button or a row of a message by its title. Throws when there is none. */
  taps(messageId: string, title: string): string {
    const { content, number } = this.#received(messageId)
    const tap = content.taps.find(one => one.title === title)
    if (!tap) throw new Error(`there is nothing called "${title}" to tap in ${messageId}`)
    return this.says({ tap }, { to: number, quotes: messageId })
  }

  reacts(messageId: string, emoji: string, to?: PhoneNumber): string {
    return this.says({ reaction: { to: messageId, emoji } }, { to })
  }

  /** Only a number that is used in the Business app receives edits and deletions as such. */
  edits(messageId: string, text: string): string {
    const { to, content } = this.#written(messageId)
    return this.says({ edit: { of: messageId, text, before: content } }, { to })
  }

  revokes(messageId: string): string {
    return this.says({ revoke: messageId }, { to: this.#written(messageId).to })
  }

  /** The ticks turn blue. */
  reads(...ids: string[]): void {
    for (const id of ids) tell(this.#received(id), 'read')
  }

  /** Plays a voice note. */
  plays(id: string): void {
    tell(this.#received(id), 'played')
  }

  /** What the phone shows, in order: what arrived and did not fail. */
  received(from?: PhoneNumber): Received[] {
    return this.state.sent
      .filter(one => one.customer === this && (!from || one.number === from))
      .filter(({ statuses }) => statuses.includes('delivered') || statuses.includes('read'))
      .map(({ id, number, content, quotes, statuses, at }) => ({
        id,
        from: number.digits,
        type: content.type,
        text: content.text,
        quotes,
        status: statuses.at(-1),
        at,
        content,
      }))
  }

  /** Whether the company seems to write. */
  seesTyping(from: PhoneNumber = this.#company): boolean {
    return this.#typing?.from === from && this.#typing.until > this.state.clock.now()
  }

  /** The company's side read it, and may be writing. */
  isRead(messageId: string, typing: boolean): void {
    const { to } = this.#written(messageId)
    const at = this.wrote.findIndex(({ id }) => id === messageId)
    for (const one of this.wrote.slice(0, at + 1)) if (one.to === to) one.status = 'read'
    if (typing) this.#typing = { from: to, until: this.state.clock.now() + TYPING_MS }
  }

  /** An answer ends the typing. */
  isAnswered(by: PhoneNumber): void {
    if (this.#typing?.from === by) this.#typing = undefined
  }

  goesOffline(): void {
    this.online = false
  }

  goesOnline(): void {
    this.online = true
    for (const one of this.state.sent)
      if (one.customer === this && one.statuses.at(-1) === 'sent' && !this.blocked.has(one.number))
        tell(one, 'delivered')
  }

  /** Changes the number; companies the person wrote to are notified. */
  changesNumber(number: string): void {
    const before = {
      number: this.number,
      ids: [...this.wroteAt.keys()].map(to => [to, this.userId(to)] as const),
    }
    this.number = number
    for (const [to, id] of before.ids) telling(this, to).newNumber(before.number, id)
  }

  /** The person taps the button that asks for the number (page "Business-scoped user IDs", REQUEST_CONTACT_INFO). */
  sharesNumber(to: PhoneNumber = this.#company): string {
    const contacts = [
      { vcard: `BEGIN:VCARD\nTEL:${this.number}\nEND:VCARD`, phones: [{ phone: this.number }] },
    ]
    return this.says({ raw: { type: 'contacts', origin: 'contact_request', contacts } }, { to })
  }

  stopsMarketing(to: PhoneNumber = this.#company): void {
    this.noMarketing.add(to)
    telling(this, to).marketing('stop')
  }

  resumesMarketing(to: PhoneNumber = this.#company): void {
    this.noMarketing.delete(to)
    telling(this, to).marketing('resume')
  }

  blocks(company: PhoneNumber = this.#company): void {
    this.blocked.add(company)
  }

  /** The business-scoped id by which this company's portfolio knows the person. */
  userId(company: PhoneNumber = this.#company): string {
    return userId(company.account.portfolio, this.number)
  }

  /** Answers to this number, or to this user id of the company's portfolio. */
  is(recipient: string, company: PhoneNumber): boolean {
    if (!recipient.includes('.')) return this.number === recipient || this.aliases.has(recipient)
    return this.userId(company) === recipient || this.parentUserId(company) === recipient
  }

  parentUserId({ account }: PhoneNumber): string | undefined {
    return account.parentUserIds ? userId('parent', this.number, { parent: true }) : undefined
  }

  get #company(): PhoneNumber {
    for (const node of this.state.nodes.values()) if ('digits' in node) return node
    throw new Error('there is no number to write to')
  }

  #received(id: string): Sent {
    const sent = this.state.sent.find(one => one.id === id && one.customer === this)
    if (!sent?.statuses.includes('delivered')) throw new Error(`${this.name}'s phone shows no message ${id}`)
    return sent
  }

  #written(id: string) {
    const written = this.wrote.find(one => one.id === id)
    if (!written) throw new Error(`${this.name} wrote no message ${id}`)
    return written
  }
}
