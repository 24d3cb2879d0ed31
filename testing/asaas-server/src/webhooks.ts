import { momentOf } from './days.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Until the second, third … try, as Asaas' page on penalised queues has it. */
const PAUSES = [
  ...[30 * SECOND, MINUTE, 3.5 * MINUTE, 5 * MINUTE, 15 * MINUTE, 25 * MINUTE],
  ...[HOUR, HOUR, HOUR, HOUR, HOUR, 2 * HOUR, 2 * HOUR, 3 * HOUR],
]
/** After so many in a row nothing more is sent. */
const MOST_FAILURES = 15
const LEAST_TOKEN = 32

export interface WebhookOptions {
  /** Milliseconds between the tries; the last holds for all after it. */
  pauses?: number[]
  /** Milliseconds that a receiver has to answer. */
  patienceMs?: number
}

/** Something that happened, in the very bytes that are sent. */
export interface Told {
  id: string
  event: string
  body: string
}

export interface Attempt {
  id: string
  event: string
  /** What the receiver answered, or what became of it. */
  outcome: number | 'unanswered' | 'lost'
}

/** Sends events to one receiver in sequence, each until it is answered with 200; redirects are not followed. */
export class Webhooks {
  /** All events, delivered or not. */
  events: Told[] = []
  attempts: Attempt[] = []
  isPaused = false
  #to: { url: string; token: string } | undefined
  #now: () => Date
  #pauses: number[]
  #patienceMs: number
  #queue: Told[] = []
  #held: Told[] | undefined
  #toLose = 0
  #failures = 0
  #state: 'idle' | 'posting' | 'waiting' = 'idle'
  #wake: () => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #settled: (() => void)[] = []

  constructor(now: () => Date, { pauses = PAUSES, patienceMs = 10 * SECOND }: WebhookOptions = {}) {
    this.#now = now
    this.#pauses = pauses
    this.#patienceMs = patienceMs
  }

  /** The settings an admin enters in the panel. Throws for a token that Asaas would refuse. */
  tell(url: string, token: string): void {
    if (token.length < LEAST_TOKEN || token.length > 255)
      throw new Error(`a webhook's token has ${LEAST_TOKEN} to 255 characters`)
    this.#to = { url, token }
  }

  /** `as`: the name under which the body has what it is about. */
  raise(event: string, about: object, as = 'payment'): void {
    const id = `evt_${crypto.randomUUID().replaceAll('-', '')}&${this.events.length + 1}`
    const body = JSON.stringify({ id, event, dateCreated: momentOf(this.#now()), [as]: about })
    const told = { id, event, body }
    this.events.push(told)
    if (this.#toLose > 0) {
      this.#toLose--
      this.attempts.push({ id, event, outcome: 'lost' })
    } else if (this.#held) this.#held.push(told)
    else this.#send(told)
  }

  /** Sends once more what was sent, byte for byte. */
  again(told: Told): void {
    this.#send(told)
  }

  /** The next ones never arrive. */
  loseNext(times = 1): void {
    this.#toLose += times
  }

  /** Keeps back what happens from now on, until `release`. */
  hold(): { release(order?: 'as it came' | 'reversed'): void } {
    const held: Told[] = []
    this.#held = held
    return {
      release: (order = 'as it came') => {
        if (this.#held === held) this.#held = undefined
        const all = held.splice(0)
        for (const told of order === 'reversed' ? all.toReversed() : all) this.#send(told)
      },
    }
  }

  /** Tries at once what waits for its next try. */
  retry(): void {
    this.#wake()
  }

  /** What an admin does in the panel once the receiver is mended. */
  resume(): void {
    this.isPaused = false
    this.#failures = 0
    void this.#run()
  }

  /** Resolves when idle: all is delivered, waits for its next try, or the queue is paused. */
  async settled(): Promise<void> {
    while (this.#state === 'posting') await new Promise<void>(resolve => this.#settled.push(resolve))
  }

  close(): void {
    this.#queue = []
    this.#to = undefined
    clearTimeout(this.#timer)
    this.#wake()
  }

  #send(told: Told) {
    if (!this.#to) return
    this.#queue.push(told)
    void this.#run()
  }

  async #run() {
    if (this.#state !== 'idle') return
    this.#is('posting')
    for (let next = this.#queue[0]; next && !this.isPaused; next = this.#queue[0]) {
      if (await this.#isTaken(next)) {
        this.#failures = 0
        this.#queue.shift()
        continue
      }
      this.isPaused = ++this.#failures >= MOST_FAILURES
      if (!this.isPaused) await this.#pause(this.#pauses[this.#failures - 1] ?? this.#pauses.at(-1) ?? 0)
    }
    this.#is('idle')
  }

  async #pause(ms: number) {
    if (ms === 0) return
    this.#is('waiting')
    await new Promise<void>(resolve => {
      this.#wake = resolve
      this.#timer = setTimeout(resolve, ms)
      this.#timer.unref()
    })
    clearTimeout(this.#timer)
    this.#is('posting')
  }

  #is(state: 'idle' | 'posting' | 'waiting') {
    this.#state = state
    if (state !== 'posting') for (const tell of this.#settled.splice(0)) tell()
  }

  async #isTaken({ id, event, body }: Told): Promise<boolean> {
    const to = this.#to
    if (!to) return true
    const outcome = await fetch(to.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Java/1.8.0',
        'asaas-access-token': to.token,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(this.#patienceMs),
    }).then(
      async answer => {
        await answer.body?.cancel()
        return answer.status
      },
      () => 'unanswered' as const,
    )
    this.attempts.push({ id, event, outcome })
    return outcome === 200
  }
}
