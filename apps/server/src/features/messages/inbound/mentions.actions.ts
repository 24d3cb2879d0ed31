import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { Chat, Mention } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { membersNamed } from '../outbox/members.queries.ts'

/** What stands for a member of whom only a LID is known: a LID is not shown, since it looks like a phone number. */
const UNNAMED = '?'

/** How a phone writes a mention: the digits of the address. */
const ADDRESS = /@(\d+)/g

/**
 * The event with names instead of the addresses of those whom its text mentions: of the contact, else as the member called
 * itself in the group, else the number.
 */
export async function withNames<Event extends { chat: Chat; body: string | null; mentions?: Mention[] }>(
  tx: Tx,
  event: Event,
): Promise<Event> {
  const { mentions = [], chat } = event
  const body = event.body ?? ''
  const inText = new Set(Array.from(body.matchAll(ADDRESS), ([, digits]) => digits))
  const written = mentions.filter(one => inText.has(one.written))
  if (written.length === 0) return event
  const names = await namesInChat(tx, chat, written)
  const byDigits = new Map(written.map((one, at) => [one.written, names[at]]))
  // in one pass: a name may itself hold what looks like an address, and is not read again
  const named = body.replaceAll(ADDRESS, (found, digits: string) =>
    byDigits.has(digits) ? `@${byDigits.get(digits)}` : found,
  )
  return { ...event, body: cut(named, MAX_BODY) }
}

/** Names of members of a chat, in the order of these. */
export async function namesInChat(tx: Tx, chat: Chat, people: Chat[]): Promise<string[]> {
  if (people.length === 0) return []
  const contacts = await contactsBehind(tx, people.flatMap(identifiersOf))
  const [group] = await contactsBehind(tx, identifiersOf(chat))
  const members = group
    ? await membersNamed(tx, group.id, people.flatMap(valuesOf))
    : new Map<string, string>()
  return people.map(one => {
    const phone = phoneOf(one)
    const contact = contacts.find(
      ({ number, lid }) => (phone && phoneKey(number) === phoneKey(phone)) || valuesOf(one).includes(lid),
    )
    const member = valuesOf(one).flatMap(value => members.get(value) ?? [])[0]
    return contact?.name || member || (phone ? `+${phone}` : UNNAMED)
  })
}

const valuesOf = ({ value, also }: Chat) => [value, ...(also ? [also.value] : [])]

const phoneOf = ({ kind, value, also }: Chat) =>
  kind === 'phone' ? value : also?.kind === 'phone' ? also.value : ''
