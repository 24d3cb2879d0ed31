import { createHmac, randomUUID } from 'node:crypto'
import { momentOf } from './moments.ts'

const MINUTE = 60_000
/** Every quarter of an hour, later seldom; three times seldom ones are enough here. */
const PAUSES = [15 * MINUTE, 15 * MINUTE, 15 * MINUTE, 6 * 60 * MINUTE]

export interface WebhookOptions {
  /** Milliseconds between the tries; after the last of them it is given up. */
  pauses?: number[]
  /** Milliseconds that a receiver has to answer. */
  patienceMs?: number
}

/** The topics that Mercado Pago publishes: https://www.mercadopago.com.br/developers/pt/docs/your-integrations/notifications */
export const publishedTopics = `payment mp-connect subscription_preapproval subscription_preapproval_plan
  subscription_authorized_payment wallet_connect stop_delivery_op_wh topic_claims_integration_wh topic_card_id_wh
  topic_merchant_order_wh merchant_order order topic_chargebacks_wh delivery delivery_cancellation point_integration_wh`.split(
  /\s+/,
)

/** The call holds the id of the payment, or of what else it is about, alone. */
export interface WebhookEvent {
  id: number
  action: string
  type: string
  paymentId: number
  body: string
}

export interface Attempt {
  id: number
  action: string
  /** What the receiver answered, or what became of it. */
  outcome: number | 'unanswered' | 'lost'
}

/** Calls one receiver about payments, signed: https://www.mercadopago.com.br/developers/pt/docs/your-integrations/notifications/webhooks */
export class Webhooks {
  /** All events, delivered or not. */
  events: WebhookEvent[] = []
  attempts: Attempt[] = []
  #to: { url: string; secret: string } | undefined
  #now: () => Date
  #pauses: number[]
  #patienceMs: number
  #held: WebhookEvent[] | undefined
  #toLose = 0
  #posting: Promise<unknown> = Promise.resolve()
  #timers = new Set<NodeJS.Timeout>()

  constructor(now: () => Date, { pauses = PAUSES, patienceMs = 22_000 }: WebhookOptions = {}) {
    this.#now = now
    this.#pauses = pauses
    this.#patienceMs = patienceMs
  }

  /** The settings of the panel, which makes the secret. */
  tell(url: string, secret: string): void {
    this.#to = { url, secret }
  }

  raise(action: string, paymentId: number, type = 'payment'): void {
    const id = 112_000_000_000 + this.events.length
    const body = JSON.stringify({
      ...{ id, live_mode: true, type, date_created: momentOf(this.#now()), user_id: 987_654_321 },
      ...{ api_version: 'v1', action, data: { id: String(paymentId) } },
    })
    const event = { id, action, type, paymentId, body }
    this.events.push(event)
    if (this.#toLose > 0) {
      this.#toLose--
      this.attempts.push({ id, action, outcome: 'lost' })
    } else if (this.#held) this.#held.push(event)
    else this.#send(event)
  }

  /** Sends once more what was sent. */
  again(event: WebhookEvent): void {
    this.#send(event)
  }

  /** The next ones never arrive. */
  loseNext(times = 1): void {
    this.#toLose += times
  }

  /** Keeps back what happens from now on, until `release`. */
  hold(): { release(order?: 'as it came' | 'reversed'): void } {
    const held: WebhookEvent[] = []
    this.#held = held
    return {
      release: (order = 'as it came') => {
        if (this.#held === held) this.#held = undefined
        const all = held.splice(0)
        for (const event of order === 'reversed' ? all.toReversed() : all) this.#send(event)
      },
    }
  }

  /** Resolves when all is delivered, or waits for its next try. */
  async settled(): Promise<void> {
    for (let last: unknown; last !== this.#posting; ) {
      last = this.#posting
      await last
    }
  }

  close(): void {
    this.#to = undefined
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** The address and the headers of a call, signed with a secret. */
  signed({ paymentId, type }: WebhookEvent, { url, secret }: { url: string; secret: string }) {
    const requestId = randomUUID()
    const ts = Math.floor(this.#now().getTime() / 1_000)
    const v1 = createHmac('sha256', secret)
      .update(`id:${paymentId};request-id:${requestId};ts:${ts};`)
      .digest('hex')
    return {
      url: `${url}?data.id=${paymentId}&type=${type}`,
      headers: {
        'content-type': 'application/json',
        ...{ 'x-request-id': requestId, 'x-signature': `ts=${ts},v1=${v1}` },
      },
    }
  }

  #send(event: WebhookEvent, tries = 0) {
    this.#posting = this.#posting.then(async () => {
      if ((await this.#isReceived(event)) || !this.#to) return
      const pause = this.#pauses[tries]
      if (pause === undefined) return
      const timer = setTimeout(() => this.#send(event, tries + 1), pause)
      timer.unref()
      this.#timers.add(timer)
    })
  }

  async #isReceived(event: WebhookEvent): Promise<boolean> {
    const to = this.#to
    if (!to) return true
    const { url, headers } = this.signed(event, to)
    const outcome = await fetch(url, {
      ...{ method: 'POST', headers, body: event.body, redirect: 'manual' },
      signal: AbortSignal.timeout(this.#patienceMs),
    }).then(
      async answer => {
        await answer.body?.cancel()
        return answer.status
      },
      () => 'unanswered' as const,
    )
    this.attempts.push({ id: event.id, action: event.action, outcome })
    return outcome === 200 || outcome === 201
  }
}
