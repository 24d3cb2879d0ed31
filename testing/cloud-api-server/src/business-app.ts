import type { Customer } from './customer.ts'
import { contactOf } from './customer-news.ts'
import { type ChatMessage, contentOf } from './customer-says.ts'
import { wamid } from './ids.ts'
import type { PhoneNumber } from './phone-number.ts'

/** What the owner wrote in the app. */
export interface Written {
  id: string
  to: Customer
  content: ChatMessage
}

/** A message from before the number came to Cloud API. */
export interface PastMessage {
  id: string
  with: Customer
  fromMe: boolean
  content: ChatMessage
  /** Milliseconds of the server's clock. */
  at: number
}

/** The WhatsApp Business app of a number that is also on Cloud API (Meta: "Coexistence"). */
export class BusinessApp {
  readonly #number: PhoneNumber
  written: Written[] = []
  past: PastMessage[] = []
  /** Names of the phone's address book, by number. */
  book: Map<string, string> = new Map()
  /** Whether the owner agreed to share the history. */
  sharesHistory = true
  /** When each synchronization was asked for: each may be once. */
  synced: Map<string, number> = new Map()
  onboardedAt: number

  constructor(number: PhoneNumber) {
    this.#number = number
    this.onboardedAt = number.state.clock.now()
  }

  /** The owner writes, which the company receives as an echo. Returns the message's id. */
  writes(to: Customer, content: ChatMessage | string): string {
    const whole = typeof content === 'string' ? { text: content } : content
    const id = this.#newId(to)
    this.written.push({ id, to, content: whole })
    this.#echo(to, whole, id)
    return id
  }

  /** Page "smb_message_echoes webhook reference": the changed text is in a message of the original's type. */
  edits(id: string, text: string): string {
    const { to, content } = this.#found(id)
    return this.#echo(to, { edit: { of: id, text, before: content } })
  }

  revokes(id: string): string {
    return this.#echo(this.#found(id).to, { revoke: id })
  }

  /** The owner adds a contact to the phone's address book, or changes the name. */
  saves(number: string, name: string, at?: number): void {
    this.book.set(number, name)
    this.#sendContacts([{ number, name, action: 'add' }], at)
  }

  forgets(number: string, at?: number): void {
    this.book.delete(number)
    this.#sendContacts([{ number, action: 'remove' }], at)
  }

  /** A message that was sent before the number came to Cloud API. Returns its id. */
  recalls(other: Customer, content: ChatMessage | string, { fromMe = false, daysAgo = 1 } = {}): string {
    const id = wamid(this.#number.state.random, other.number, fromMe ? 'out' : 'in')
    const at = this.#number.state.clock.now() - daysAgo * 86_400_000
    const whole = typeof content === 'string' ? { text: content } : content
    this.past.push({ id, with: other, fromMe, content: whole, at })
    return id
  }

  /** All names of the address book, as they come after a request. */
  sendBook(): void {
    this.#sendContacts([...this.book].map(([number, name]) => ({ number, name, action: 'add' as const })))
  }

  #sendContacts(changes: { number: string; name?: string; action: 'add' | 'remove' }[], at?: number) {
    const timestamp = `${Math.floor((at ?? this.#number.state.clock.now()) / 1000)}`
    const state_sync = changes.map(({ number, name, action }) => ({
      type: 'contact',
      contact: {
        ...(name !== undefined && { full_name: name, first_name: name.split(' ')[0] }),
        phone_number: number,
      },
      action,
      metadata: { timestamp },
    }))
    if (state_sync.length > 0) this.#number.tell('smb_app_state_sync', { state_sync })
  }

  #echo(to: Customer, content: ChatMessage, id = this.#newId(to)): string {
    if (!this.#number.coexistence) throw new Error(`${this.#number.digits} is not in the Business app`)
    const [type, body] = contentOf(this.#number, content)
    const echo = {
      from: this.#number.digits,
      ...(to.showsNumber ? { to: to.number } : {}),
      to_user_id: to.userId(this.#number),
      id,
      timestamp: `${this.#number.state.clock.seconds()}`,
      type,
      ...body,
    }
    this.#number.tell('smb_message_echoes', {
      contacts: [contactOf(to, this.#number)],
      message_echoes: [echo],
    })
    return id
  }

  #found(id: string): Written {
    const sent = this.#number.state.sent.find(one => one.id === id && one.number === this.#number)
    const ours = sent?.customer && { id, to: sent.customer, content: { text: sent.content.text } }
    const written = this.written.find(one => one.id === id) ?? ours
    if (!written) throw new Error(`${this.#number.digits} wrote no message ${id}`)
    return written
  }

  #newId(to: Customer) {
    return wamid(this.#number.state.random, to.showsNumber ? to.number : to.userId(this.#number), 'out')
  }
}
