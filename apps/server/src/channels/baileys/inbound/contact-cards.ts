import { cut } from '@balcao/contract/cut.rules.ts'
import type { CardData } from '@balcao/contract/media.ts'
import type { proto } from 'baileys'
import { lineFrom } from './text.ts'

type Card = CardData['contacts'][number]

const MAX_CARDS = 100
const MAX_PHONES = 20
/** A longer one carries a photograph; name and numbers come before it. */
const MAX_VCARD = 65_536
const PHONE = /^(?:[\w-]{1,40}\.)?TEL((?:;[^:;]*)*):(.*)$/i
const NAME = /^(?:[\w-]{1,40}\.)?FN(?:;[^:]*)?:(.*)$/i

/** The people on contact cards (vCard 2.1 to 4.0), as far as they can be made out. */
export function peopleOn(cards: (proto.Message.IContactMessage | null)[]): CardData {
  return { contacts: cards.slice(0, MAX_CARDS).map(personOn) }
}

function personOn(card: proto.Message.IContactMessage | null): Card {
  const vcard = typeof card?.vcard === 'string' ? cut(card.vcard, MAX_VCARD) : ''
  const shown = lineFrom(card?.displayName)
  let name = ''
  const phones: Card['phones'] = []
  // A line that begins with a blank goes on with the one before.
  for (const line of vcard.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (!shown && !name) name = NAME.exec(line)?.[1] ?? ''
    const phone = phones.length < MAX_PHONES ? phoneOn(line) : null
    if (phone) phones.push(phone)
    if (phones.length === MAX_PHONES && (shown || name)) break
  }
  return { name: shown || lineFrom(unescaped(name)), phones }
}

function phoneOn(line: string): Card['phones'][number] | null {
  const [, about = '', value = ''] = PHONE.exec(line) ?? []
  const waid = /;waid=(\d{5,20})(?:;|$)/i.exec(about)?.[1]
  const number = waid ?? value.replace(/^tel:/i, '').replace(/[^\d+]/g, '')
  return /^\+?\d{3,20}$/.test(number) ? { number, onWhatsApp: waid !== undefined } : null
}

/** The same as WhatsApp writes them. */
export function cardsOf({ contacts }: CardData): { displayName: string; vcard: string }[] {
  return contacts.map(({ name, phones }) => {
    const displayName = lineFrom(name)
    const numbers = phones.map(({ number, onWhatsApp }) => {
      const digits = number.replace(/\D/g, '')
      return `TEL;type=CELL${onWhatsApp ? `;waid=${digits}` : ''}:+${digits}`
    })
    const title = escaped(displayName)
    const lines = ['BEGIN:VCARD', 'VERSION:3.0', `N:;${title};;;`, `FN:${title}`, ...numbers, 'END:VCARD']
    return { displayName, vcard: lines.join('\n') }
  })
}

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&')
const unescaped = (text: string) => text.replace(/\\n/gi, ' ').replace(/\\(.)/g, '$1')
