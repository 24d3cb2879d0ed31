import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { type Contact, contacts } from '@balcao/contract/contacts.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { cardsIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconAddressBookOff } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { phoneText } from '../../platform/phone.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { soon } from '../../ui/soon.tsx'
import { Missing } from './file.tsx'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'

const NewTicketDialog = soon(() => import('../contacts/new-ticket.dialog.tsx'))

/** Shared contacts; with those on WhatsApp a conversation can be started. */
export function ContactCards({ message }: { message: Message }) {
  const t = useMediaText()
  const [chosen, setChosen] = useState<Contact | null>(null)
  const cards = cardsIn(message)?.filter(({ phones }) => phones.length > 0) ?? []
  if (cards.length === 0)
    return <Missing icon={<IconAddressBookOff size={22} stroke={1.75} aria-hidden />} text={t('badCard')} />
  const talk = (name: string, number: string) => contactOf(name, number).then(setChosen, notify.failed)
  return (
    <ul className={classes.cards}>
      {cards.map(({ name, phones }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card has no id and never moves
        <li key={at}>
          <Avatar name={name} />
          <span className={classes.facts}>
            <strong>{name}</strong>
            {phones.map(({ number, onWhatsApp }) => (
              <span key={number} className={classes.phone}>
                <span>{phoneText(number)}</span>
                {onWhatsApp && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => void talk(name, number)}
                    aria-label={t('chatWith', { name })}
                  >
                    {t('chat')}
                  </Button>
                )}
              </span>
            ))}
          </span>
        </li>
      ))}
      {chosen && <NewTicketDialog with={chosen} onClose={() => setChosen(null)} />}
    </ul>
  )
}

/** The company's contact of a number, added when it is not there yet. */
async function contactOf(name: string, phone: string): Promise<Contact> {
  const number = `+${phone.replace(/\D/g, '')}`
  try {
    return await call(contacts.create, { body: { name: cut(name.trim(), 50).padEnd(2, '.'), number } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ERR_DUPLICATED_CONTACT') throw error
    const known = await call(contacts.list, { query: { searchParam: number.slice(-8) } })
    const same = known.contacts.find(one => phoneKey(one.number) === phoneKey(number))
    if (!same) throw error
    return same
  }
}
