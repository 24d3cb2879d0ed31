import { cardsOf } from '../../inbound/contact-cards.ts'
import { Refused, sentKind } from './kind.ts'

export const sentCards = sentKind<'contacts'>((_body, { cards }) => {
  const contacts = cardsOf(cards)
  if (contacts.length === 0) throw new Refused('ERR_SENDING_WAPP_MSG')
  const displayName = contacts.map(one => one.displayName).join(', ')
  return { contacts: { displayName, contacts } }
})
