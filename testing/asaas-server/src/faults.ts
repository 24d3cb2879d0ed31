import { type AsaasRefusal, refusals } from './refusals.ts'

type Fault =
  | { refuse: AsaasRefusal }
  /** Never answered, and nothing happened. */
  | { hang: true }
  /** Carried out, and answered when this is kept. */
  | { wait: Promise<unknown> }
  /** Carried out, once `reached` is kept; the line breaks before the answer. */
  | { cut: true; reached?: Promise<unknown> }
  /** Carried out, and answered with something that is no JSON. */
  | { garble: true }

/** What goes wrong on purpose: each step is used up by the first call that begins with `on`, such as `POST /v3/payments`. */
export class Faults {
  #steps: { fault: Fault; on: string }[] = []

  add(fault: Fault, on: string): void {
    this.#steps.push({ fault, on })
  }

  take(call: string): Fault | undefined {
    const at = this.#steps.findIndex(({ on }) => call.startsWith(on))
    return at < 0 ? undefined : this.#steps.splice(at, 1)[0]!.fault
  }
}

/** Faults of the next calls, set by a test. */
export const faultsBy = (faults: Faults) => ({
  failNext: (status: number, on = '') => faults.add({ refuse: refusals.onPurpose(status) }, on),
  answerAfter: (wait: Promise<unknown>, on = '') => faults.add({ wait }, on),
  hang: (on = '') => faults.add({ hang: true }, on),
  loseAnswer: (on = '', reached?: Promise<unknown>) => faults.add({ cut: true, reached }, on),
  garble: (on = '') => faults.add({ garble: true }, on),
})
