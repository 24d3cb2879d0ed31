import type { proto } from 'baileys'
import { peopleOn } from '../contact-cards.ts'
import { type KindReading, kindOf } from './kind.ts'

export const cardsKind = kindOf(
  ['contactMessage', 'contactsArrayMessage'],
  {
    name: 'contact cards',
    bubble: 'names and numbers, with a button to write',
    words: 'the names',
    bot: 'the names',
  },
  part => ('contacts' in part ? cardsRead(part.contacts ?? []) : cardsRead([part])),
)

function cardsRead(contacts: (proto.Message.IContactMessage | null)[]): KindReading {
  const data = peopleOn(contacts)
  const names = data.contacts.map(({ name }) => name)
  return { mediaType: 'vcard', body: names.filter(Boolean).join(', '), data }
}
