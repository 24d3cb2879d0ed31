import type { Customer } from './customer.ts'
import { wamid } from './ids.ts'
import type { PhoneNumber } from './phone-number.ts'

/** A person as described to a company's number. Hidden fields are left out, not empty. */
export function telling(customer: Customer, to: PhoneNumber) {
  const { state } = to
  const contact = contactOf(customer, to)
  return {
    /** A message of this type. */
    message(type: string, body: object, id = newId(customer)): string {
      to.tell('messages', {
        contacts: [contact],
        messages: [{ ...senderOf(customer, to), id, timestamp: `${state.clock.seconds()}`, type, ...body }],
      })
      return id
    },
    /** A new number makes a new user id; a hidden number is replaced by the ids. */
    newNumber(before: string, userIdBefore: string): void {
      const timestamp = `${state.clock.seconds()}`
      const { name, number, showsNumber } = customer
      const userId = customer.userId(to)
      const known = showsNumber ? { wa_id: number } : {}
      const [type, from, until] = showsNumber
        ? ['user_changed_number', before, number]
        : ['user_changed_user_id', userIdBefore, userId]
      const system = {
        body: `User ${name} changed from ${from} to ${until}`,
        ...known,
        user_id: userId,
        type,
      }
      const sender = showsNumber ? { from: before } : {}
      to.tell('messages', {
        messages: [{ ...sender, id: newId(customer), timestamp, type: 'system', system }],
      })
      const detail = `User id for ${name} has been updated.`
      const ids = { previous: userIdBefore, current: userId }
      to.tell('user_id_update', {
        contacts: [{ profile: contact.profile, ...known }],
        user_id_update: [{ ...known, detail, user_id: ids, timestamp }],
      })
    },
    /** Page "user_preferences webhook reference": the time is a number. */
    marketing(value: 'stop' | 'resume'): void {
      const { profile: _, ...who } = contact
      const detail = `User requested to ${value} marketing messages`
      const preference = {
        ...who,
        detail,
        category: 'marketing_messages',
        value,
        timestamp: state.clock.seconds(),
      }
      to.tell('user_preferences', { contacts: [contact], user_preferences: [preference] })
    },
  }
}

/** `contacts[0]` of a webhook. */
export function contactOf(
  customer: Customer,
  to: PhoneNumber,
  { withUsername = true }: { withUsername?: boolean } = {},
) {
  const { name, username, showsNumber, number } = customer
  const parent = customer.parentUserId(to)
  return {
    profile: { name, ...(username && withUsername ? { username } : {}) },
    ...(showsNumber ? { wa_id: number } : {}),
    user_id: customer.userId(to),
    ...(parent ? { parent_user_id: parent } : {}),
  }
}

function senderOf(customer: Customer, to: PhoneNumber) {
  const parent = customer.parentUserId(to)
  return {
    ...(customer.showsNumber ? { from: customer.number } : {}),
    from_user_id: customer.userId(to),
    ...(parent ? { from_parent_user_id: parent } : {}),
  }
}

/** Ids have the chat inside: nothing of a number that is hidden. */
const newId = ({ state, number, showsNumber }: Customer) =>
  wamid(state.random, showsNumber ? number : 'hidden', 'in')
