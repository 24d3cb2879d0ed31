import type { Account } from './account.ts'
import type { App } from './app.ts'
import type { PhoneNumber } from './phone-number.ts'

/** One entry of `changes`. */
export interface Change {
  field: string
  value: object
  /** Set for news of messages. */
  number?: PhoneNumber
}

export interface Event {
  app: App
  account: Account
  url: string
  change: Change
  at: number
}

/**
 * The body of one delivery: an entry for each account, a change for each kind of news of a number, and in it all
 * its messages or statuses. Written as Meta writes it: everything but ASCII is escaped, and so are slashes, so that
 * a signature over JSON that was parsed and written again fails.
 */
export function bodyOf(events: Event[]): string {
  const entry = [...Map.groupBy(events, ({ account }) => account)].map(([account, news]) => ({
    id: account.id,
    ...(news.every(({ change }) => change.number) ? {} : { time: news[0]!.at }),
    changes: merged(news.map(({ change }) => change)),
  }))
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

type Value = Record<string, unknown>
const LISTS = ['messages', 'statuses', 'message_echoes', 'state_sync', 'history']

function merged(changes: Change[]): { value: Value; field: string }[] {
  const all: (Change & { value: Value })[] = []
  for (const { field, number, value } of changes) {
    const last = all.at(-1)
    const list = LISTS.find(name => name in value)
    const joins = last && list && last.field === field && last.number === number && list in last.value
    if (joins) last.value = joined(last.value, value as Value, list)
    else all.push({ field, number, value: value as Value })
  }
  return all.map(({ value, field }) => ({ value, field }))
}

function joined(one: Value, other: Value, list: string): Value {
  const contacts = [...((one.contacts as object[]) ?? []), ...((other.contacts as object[]) ?? [])]
  const unique = [...new Map(contacts.map(contact => [JSON.stringify(contact), contact])).values()]
  return {
    ...one,
    ...(unique.length > 0 ? { contacts: unique } : {}),
    [list]: [...(one[list] as object[]), ...(other[list] as object[])],
  }
}
