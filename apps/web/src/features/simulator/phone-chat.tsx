import { DELIVERED, READ } from '@balcao/contract/messages.rules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { IconArrowLeft, IconSend2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Formatted } from '../messages/formatted.tsx'
import classes from './simulator.module.css'
import { simulatorText } from './simulator.text.ts'
import type { Customer } from './simulator-screen.tsx'

interface Props {
  whatsappId: number
  customer: Customer
  lookMs: number
  onBack(): void
}

/** What the customer sees and writes. While it is open, what the company writes is read. */
export function PhoneChat({ whatsappId, customer, lookMs, onBack }: Props) {
  const t = simulatorText()
  const { number, name } = customer
  const [body, setBody] = useState('')
  const { data: messages = [], refetch } = useQuery({
    queryKey: ['simulator', whatsappId, number],
    queryFn: () => call(simulator.chat, { params: { whatsappId, number } }),
    refetchInterval: lookMs,
  })
  const unread = messages.some(message => message.fromMe && message.ack < READ)
  useEffect(() => {
    if (!unread) return
    const confirm = (ack: number) =>
      call(simulator.receipt, { params: { whatsappId }, body: { number, ack } })
    confirm(DELIVERED)
      .then(() => confirm(READ))
      .catch(notify.failed)
  }, [unread, whatsappId, number])

  const send = async () => {
    const text = body.trim()
    if (text === '') return
    setBody('')
    await call(simulator.write, { params: { whatsappId }, body: { number, name, body: text } }).catch(
      error => {
        setBody(text)
        notify.failed(error)
      },
    )
    await refetch()
  }

  return (
    <section className={classes.thread} aria-label={name || number}>
      <header className={classes.bar}>
        <button type="button" className={classes.icon} data-back onClick={onBack} aria-label={t('back')}>
          <IconArrowLeft size={20} />
        </button>
        <Avatar name={name || number} size={34} />
        <h2 className="one-line">{name || `+${number}`}</h2>
      </header>
      <div
        className={classes.box}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
      >
        <div>
          {messages.map(message => (
            <article key={message.id} className={classes.bubble} data-company={message.fromMe || undefined}>
              <Formatted text={message.body} />
              <time dateTime={message.createdAt}>{dayjs(message.createdAt).format('HH:mm')}</time>
            </article>
          ))}
        </div>
      </div>
      <form
        className={classes.write}
        onSubmit={event => {
          event.preventDefault()
          void send()
        }}
      >
        <input
          value={body}
          onChange={event => setBody(event.currentTarget.value)}
          aria-label={t('write')}
          placeholder={t('write')}
          autoComplete="off"
        />
        <button type="submit" className={classes.icon} aria-label={t('send')} disabled={body.trim() === ''}>
          <IconSend2 size={20} />
        </button>
      </form>
    </section>
  )
}
