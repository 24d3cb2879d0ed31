import type { Customer } from './customer.ts'
import type { ChatMessage } from './customer-says.ts'
import type { PhoneNumber } from './phone-number.ts'
import type { CloudApiServer } from './server.ts'

export type Body = Record<string, unknown>
type CustomerVerb = (customer: Customer, body: Body, server: CloudApiServer) => unknown

/** Control calls of a customer, as `METHOD /customers/NUMBER/…`. */
export const CUSTOMER_VERBS: Record<string, CustomerVerb> = {
  'GET messages': customer =>
    customer
      .received()
      .map(({ content, ...one }) => ({ ...one, taps: content.taps.map(({ title }) => title) })),
  'GET wrote': customer => customer.wrote.map(({ id, to, status }) => ({ id, to: to.digits, status })),
  'GET typing': customer => ({ typing: customer.seesTyping() }),
  'POST says': (customer, { said, to, ...about }, server) => ({
    id: customer.says(said as string | ChatMessage, { to: numberOf(server, to), ...about }),
  }),
  'POST taps': (customer, body) => ({ id: customer.taps(word(body, 'id'), word(body, 'title')) }),
  'POST reacts': (customer, body) => ({ id: customer.reacts(word(body, 'id'), `${body.emoji ?? ''}`) }),
  'POST edits': (customer, body) => ({ id: customer.edits(word(body, 'id'), word(body, 'text')) }),
  'POST revokes': (customer, body) => ({ id: customer.revokes(word(body, 'id')) }),
  'POST reads': (customer, body) => customer.reads(...list<string>(body, 'ids')),
  'POST plays': (customer, body) => customer.plays(word(body, 'id')),
  'POST offline': customer => customer.goesOffline(),
  'POST online': customer => customer.goesOnline(),
  'POST blocks': customer => customer.blocks(),
  'POST number': (customer, body) => customer.changesNumber(word(body, 'number')),
  'POST marketing': (customer, body) =>
    body.stop === true ? customer.stopsMarketing() : customer.resumesMarketing(),
}

/** A text that must be there. */
export function word(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || !value) throw new Error(`${name} must be a text`)
  return value
}

/** A list that must be there. */
export function list<T>(body: Body, name: string): T[] {
  const value = body[name]
  if (!Array.isArray(value)) throw new Error(`${name} must be a list`)
  return value
}

function numberOf({ account }: CloudApiServer, digits: unknown): PhoneNumber | undefined {
  if (digits === undefined) return undefined
  const number = account.numbers.find(one => one.digits === digits)
  if (!number) throw new Error(`there is no number ${digits} to write to`)
  return number
}
