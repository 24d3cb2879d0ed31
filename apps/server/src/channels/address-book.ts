import { cut } from '@balcao/contract/cut.rules.ts'
import type { BookEntry, InboundEvent, OldMessage } from '../driver.ts'
import { keepBook } from '../features/cloud/cloud.book.actions.ts'
import { bookNames, hasBook } from '../features/cloud/cloud.book.queries.ts'
import type { ChannelConnection } from './connection.ts'

const MAX_NAME = 255
/** Entries of one commit. */
const AT_ONCE = 500

/** The address book of the phone that a connection's number is on. */
export interface AddressBook {
  keep(entries: BookEntry[]): Promise<void>
  /** The events with the names that it has for people; what the company wrote carries none, so that one follows it. */
  name(events: InboundEvent[]): Promise<InboundEvent[]>
  nameOld(old: OldMessage[]): Promise<OldMessage[]>
}

export function addressBookOf({ scope, whatsappId, write }: ChannelConnection): AddressBook {
  let known: Promise<boolean> | null = null
  /** One question for all that wait, so that they go on in their order. */
  function hasNames(): Promise<boolean> {
    known ??= scope
      .read(tx => hasBook(tx, whatsappId))
      .catch(error => {
        known = null
        throw error
      })
    return known
  }
  async function namesOf(events: InboundEvent[]): Promise<Map<string, string>> {
    const people = events.flatMap(({ kind, chat }) =>
      kind === 'message' && chat.kind !== 'group' ? chat : [],
    )
    if (people.length === 0 || !(await hasNames())) return new Map()
    const names = await scope.read(tx => bookNames(tx, whatsappId, people))
    return new Map([...names].map(([chat, name]) => [chat, cut(name, MAX_NAME)]))
  }
  return {
    async keep(entries) {
      for (let from = 0; from < entries.length; from += AT_ONCE)
        await write(tx => keepBook(tx, whatsappId, entries.slice(from, from + AT_ONCE)))
      if (entries.length > 0) known = Promise.resolve(true)
    },
    async name(events) {
      const names = await namesOf(events)
      return names.size > 0 ? events.flatMap(event => namedBy(names, event)) : events
    },
    async nameOld(old) {
      const names = await namesOf(old)
      return old.map(one => {
        const name = one.chat.kind === 'group' ? undefined : names.get(one.chat.value)
        return name === undefined ? one : { ...one, name }
      })
    },
  }
}

function namedBy(names: Map<string, string>, event: InboundEvent): InboundEvent[] {
  const name = event.chat.kind === 'group' ? undefined : names.get(event.chat.value)
  if (name === undefined || event.kind !== 'message') return [event]
  if (!event.fromMe) return [{ ...event, name }]
  return [event, { kind: 'profile', chat: event.chat, name, at: event.at }]
}
