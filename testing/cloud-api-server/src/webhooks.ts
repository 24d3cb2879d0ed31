import type { Account } from './account.ts'
import type { App } from './app.ts'
import type { Clock } from './clock.ts'
import { bodyOf, type Change, type Event } from './envelope.ts'
import type { DeliveryStep, Faults } from './faults.ts'
import type { Random } from './random.ts'
import { signatureHeader } from './signature.ts'
import type { Work } from './work.ts'

export interface WebhookOptions {
  /** Milliseconds of the server's clock until the second, third … try; the last holds for all after it. */
  backOff?: number[]
  /** Milliseconds of the machine's clock that a receiver has to answer. */
  patienceMs?: number
  /** How many deliveries are under way at once. */
  lanes?: number
}

/** One try to deliver. */
export interface Attempt {
  /** Which delivery; the same one is tried until it is answered with 200. */
  delivery: number
  at: number
  url: string
  signature: string | undefined
  /** The very bytes that were signed. */
  body: string
  /** The receiver's status, or what became of it. */
  outcome: number | 'lost' | 'unanswered'
}

interface Delivery {
  id: number
  app: App
  url: string
  body: string
  tries: number
  since: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const BACK_OFF = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR]
/** Meta tries for seven days. */
const GIVE_UP_AFTER = 7 * 24 * HOUR

/** Page "Webhook overrides": all other fields go to the app's address. */
const OVERRIDDEN = new Set([
  ...['messages', 'message_echoes', 'calls', 'consumer_profile', 'messaging_handovers', 'standby'],
  ...['group_lifecycle_update', 'group_participants_update', 'group_settings_update', 'group_status_update'],
  ...['smb_message_echoes', 'smb_app_state_sync', 'history', 'account_settings_update'],
])

/** What the sender needs of the platform. */
interface Platform {
  clock: Clock
  random: Random
  faults: Faults
  work: Work
}

/** Sends the events to the apps: signed, in order, with retries until accepted. */
export class Webhooks {
  attempts: Attempt[] = []
  /** Deliveries that were given up after seven days. */
  givenUp: string[] = []
  lanes: number
  #state: Platform
  #options: Required<WebhookOptions>
  #queue: Delivery[] = []
  #underWay = 0
  #held: Event[] | undefined
  #deliveries: Map<number, Delivery> = new Map()

  constructor(state: Platform, { backOff = BACK_OFF, patienceMs = 10_000, lanes = 1 }: WebhookOptions = {}) {
    this.#state = state
    this.#options = { backOff, patienceMs, lanes }
    this.lanes = lanes
  }

  /** News of an account, for every app that wants it. */
  raise(account: Account, change: Change): void {
    const at = this.#state.clock.seconds()
    for (const [app, own] of account.subscribers) {
      const override = OVERRIDDEN.has(change.field) ? (change.number?.callback ?? own) : undefined
      const url = override?.url ?? app.callback?.url
      if (!url || (app.fields && !app.fields.has(change.field))) continue
      const event = { app, account, url, change, at }
      if (this.#held) this.#held.push(event)
      else this.#enqueue([event])
    }
  }

  /**
   * Keeps the news back from now on. They leave by `release`: each by itself or all that go to one place together,
   * in their order, the other way round or shuffled; or they are lost for good by `forget`.
   */
  hold(): Hold {
    const held: Event[] = []
    this.#held = held
    const stop = () => {
      if (this.#held === held) this.#held = undefined
      return held.splice(0)
    }
    return {
      release: ({ together = false, order = 'as it came' } = {}) => {
        const events = this.#ordered(stop(), order)
        for (const group of together ? grouped(events) : events.map(event => [event])) this.#enqueue(group)
      },
      forget: () => void stop(),
    }
  }

  /** Sends again what was delivered long ago, byte for byte. */
  replay(attempt: Attempt): void {
    const first = this.#deliveries.get(attempt.delivery)!
    this.#push({ ...first, tries: 0, since: this.#state.clock.now() })
  }

  #ordered(events: Event[], order: Order): Event[] {
    if (order === 'shuffled') return this.#state.random.shuffled(events)
    return order === 'reversed' ? events.toReversed() : events
  }

  #enqueue(events: Event[]) {
    const { app, url } = events[0]!
    this.#push(this.#new(app, url, bodyOf(events)))
  }

  #new(app: App, url: string, body: string): Delivery {
    const delivery = {
      id: this.#deliveries.size + 1,
      app,
      url,
      body,
      tries: 0,
      since: this.#state.clock.now(),
    }
    this.#deliveries.set(delivery.id, delivery)
    return delivery
  }

  #push(delivery: Delivery) {
    this.#queue.push(delivery)
    while (this.#underWay < this.lanes && this.#queue.length > 0) void this.#lane()
  }

  async #lane() {
    this.#underWay++
    await this.#state.work.during(async () => {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) await this.#try(next)
      // in the same breath as the queue was found empty, or what is pushed now would wait for ever
      this.#underWay--
    })
  }

  async #try(delivery: Delivery) {
    const step = this.#state.faults.deliveries.take()
    delivery.tries++
    const outcome = step && 'lose' in step ? 'lost' : await this.#post(delivery, step)
    if (step && 'lose' in step) this.#note(delivery, undefined, outcome)
    if (step && 'copies' in step)
      await Promise.all(Array.from({ length: step.copies }, () => this.#post(delivery, undefined)))
    if (outcome !== 200 || (step && 'loseAnswer' in step)) this.#again(delivery)
  }

  async #post(delivery: Delivery, step: DeliveryStep | undefined): Promise<Attempt['outcome']> {
    const { app, url, body } = delivery
    const signature = signatureHeader(
      app.secret,
      body,
      step && 'signature' in step ? step.signature : undefined,
    )
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      ...(signature ? { 'x-hub-signature-256': signature } : {}),
    }
    const outcome = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(this.#options.patienceMs),
    }).then(
      async answer => {
        await answer.body?.cancel()
        return answer.status
      },
      () => 'unanswered' as const,
    )
    this.#note(delivery, signature, outcome)
    return outcome
  }

  #note({ id, url, body }: Delivery, signature: string | undefined, outcome: Attempt['outcome']) {
    this.attempts.push({ delivery: id, at: this.#state.clock.now(), url, signature, body, outcome })
  }

  #again(delivery: Delivery) {
    const { backOff } = this.#options
    const wait = backOff[Math.min(delivery.tries, backOff.length) - 1]!
    const { clock, work } = this.#state
    if (clock.now() + wait - delivery.since > GIVE_UP_AFTER) this.givenUp.push(delivery.body)
    else
      clock.after(wait, () => {
        this.#push(delivery)
        return work.done()
      })
  }
}

type Order = 'as it came' | 'reversed' | 'shuffled'

export interface Hold {
  release(how?: { together?: boolean; order?: Order }): void
  forget(): void
}

/** What goes to one place of one app may go together. */
function grouped(events: Event[]): Event[][] {
  return [...Map.groupBy(events, ({ app, url }) => `${app.id} ${url}`).values()]
}
