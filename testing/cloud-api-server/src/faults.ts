/** Faults of calls of the Graph API: the next `times` of them (default 1) that match `on`. */
export type CallStep = { times?: number; on?: 'messages' | 'media' | 'number' | 'smb_app_data' | 'any' } & (
  | {
      code: number
      status?: number
      details?: string
      subcode?: number
      /** Graph says itself that the same call may succeed later (page "Error handling" of the Graph API). */
      transient?: true
      /** Minutes until calls are accepted again, sent in a header (page "Rate limits" of the Graph API). */
      regainIn?: number
    }
  /** Not from Graph at all, but from something on the way to it. */
  | { status: number; text: string }
  /** Never answered: before it was looked at, or after it was carried out. */
  | { hang: 'before' | 'after' }
  /** The connection is reset: before it was looked at, or after it was carried out. */
  | { reset: 'before' | 'after' }
  /** Carried out, and answered with something that is no JSON. */
  | { garble: true }
  /** Carried out after so many milliseconds. */
  | { delay: number }
  | { pass: true }
)

export type Signature = 'wrong' | 'missing' | 'of another secret' | 'of other bytes' | 'sha1' | 'upper case'

/** Faults of webhook deliveries: the next `times` attempts (default 1). */
export type DeliveryStep = { times?: number } /** It does not arrive, and is tried again. */ & (
  | { lose: true }
  /** It arrives, but the answer does not: it is sent again. */
  | { loseAnswer: true }
  /** It arrives so many times more, at once. */
  | { copies: number }
  | { signature: Signature }
  | { pass: true }
)

/** What happens to downloads of media. */
export type DownloadStep = { times?: number } & (
  | { spoil: 'bytes' | 'end' }
  | { status: number }
  | { pass: true }
)

/** What goes wrong on purpose. Every step is used up once; `clear` forgets those that were not. */
export class Faults {
  calls: Script<CallStep> = new Script()
  deliveries: Script<DeliveryStep> = new Script()
  downloads: Script<DownloadStep> = new Script()
  /** The next messages are accepted, and fail later with these codes. */
  failures: Script<{ code: number; times?: number }> = new Script()
  /** Statuses are sent before the answer that names the message. */
  statusesFirst = false
  /** Codes returned in the answer, though Meta usually sends them later by webhook. */
  atOnce: Set<number> = new Set()

  clear(): void {
    for (const script of [this.calls, this.deliveries, this.downloads, this.failures]) script.clear()
    this.statusesFirst = false
    this.atOnce.clear()
  }
}

/** Steps that are used up in their order. */
export class Script<Step extends { times?: number }> {
  #steps: { step: Step; left: number }[] = []

  next(...steps: Step[]): void {
    this.#steps.push(...steps.map(step => ({ step, left: step.times ?? 1 })))
  }

  clear(): void {
    this.#steps = []
  }

  /** The first step that fits, which is used up by one; undefined when none does. */
  take(fits: (step: Step) => boolean = () => true): Step | undefined {
    const entry = this.#steps.find(({ step }) => fits(step))
    if (!entry) return undefined
    if (--entry.left < 1) this.#steps = this.#steps.filter(one => one !== entry)
    return entry.step
  }
}
