import { createHash } from 'node:crypto'
import type { PhoneNumber } from './phone-number.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Lifetime of a URL: five minutes; then the id must be requested again. */
const URL_LIFE = 5 * MINUTE

/** A file at Meta: uploaded by a number (kept 30 days) or sent to it by a customer (7 days). */
export class Media {
  id: string
  number: PhoneNumber
  mime: string
  bytes: Buffer
  expiresAt: number
  #urls: Map<string, number> = new Map()

  constructor(number: PhoneNumber, mime: string, bytes: Buffer, from: 'upload' | 'customer') {
    const { random, clock, nodes } = number.state
    this.id = random.digits(16)
    this.number = number
    this.mime = mime
    this.bytes = bytes
    this.expiresAt = clock.now() + (from === 'upload' ? 30 : 7) * DAY
    nodes.set(this.id, this)
  }

  get expired(): boolean {
    return this.#now >= this.expiresAt
  }

  /** Gone before its time. */
  expire(): void {
    this.expiresAt = this.#now
  }

  /** A new address of the file. It needs the token, too. */
  newUrl(): string {
    const { url, random, clock } = this.number.state
    const key = random.hex(32)
    this.#urls.set(key, clock.now() + URL_LIFE)
    return `${url}/whatsapp_business/attachments/?mid=${this.id}&ext=${clock.seconds() + URL_LIFE / 1000}&hash=${key}`
  }

  opensWith(key: string): boolean {
    return !this.expired && (this.#urls.get(key) ?? 0) > this.#now
  }

  hash(encoding: 'hex' | 'base64'): string {
    return createHash('sha256').update(this.bytes).digest(encoding)
  }

  get #now() {
    return this.number.state.clock.now()
  }
}
