import type { Route } from '@balcao/contract/kit.ts'
import {
  type Answer,
  enter,
  type Person,
  type PersonInput,
  until,
} from '../../../apps/server/testing/person.ts'

/** A user whose screen stays open: it logs in again when its session has ended. */
export interface Patient {
  email: string
  /** One try. Throws where no process of the product answers. */
  call<R extends Route>(route: R, given?: PersonInput<R>): Promise<Answer<R>>
  /** The same until the answer is 200: for what may be asked more than once. */
  get<R extends Route>(route: R, given?: PersonInput<R>): Promise<Answer<R>['body']>
  fetch(path: string): Promise<Buffer>
  /** As it is logged in now. */
  entered(): Promise<Person>
}

const PATIENCE_MS = 120_000

export function patient(url: string, email: string, password: string): Patient {
  let person: Person | null = null
  const entered = async () => (person ??= await enter(url, email, password))
  async function call<R extends Route>(route: R, given?: PersonInput<R>): Promise<Answer<R>> {
    const before = await entered()
    const answer = await before.call(route, given)
    if (answer.status !== 401 && answer.body.error !== 'ERR_SESSION_EXPIRED') return answer
    if (person === before) person = null
    return (await entered()).call(route, given)
  }
  return {
    email,
    call,
    entered,
    async get(route, given) {
      let last = ''
      const found = await until(async () => {
        const answer = await call(route, given).catch((error: Error) => error)
        if (!(answer instanceof Error) && answer.status === 200) return { body: answer.body }
        last = answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.body)}`
        return null
      }, PATIENCE_MS).catch(() => null)
      if (!found) throw new Error(`${email}: ${route.method} ${route.path} answered ${last}`)
      return found.body
    },
    async fetch(path) {
      const answer = await (await entered()).fetch(path)
      if (answer.status !== 200) throw new Error(`${email}: ${path} answered ${answer.status}`)
      return Buffer.from(await answer.arrayBuffer())
    },
  }
}
