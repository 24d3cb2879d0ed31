import { DELIVERED, READ } from '@balcao/contract/messages.rules.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import { type SimulatedMessage, simulator } from '@balcao/contract/simulator.ts'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { PhoneBubble } from './phone-bubble.tsx'
import { PhoneWriter } from './phone-writer.tsx'
import classes from './simulator.module.css'
import { useSimulatorText } from './simulator.text.ts'
import type { Customer } from './simulator-screen.tsx'

interface Props {
  whatsappId: number
  customer: Customer
  /** What the company does in this chat. */
  typing: Typing
  lookMs: number
  onBack(): void
}

/** A customer's action on a message: quote it, or edit one of their own. */
export interface Holding {
  what: 'answer' | 'edit'
  message: SimulatedMessage
}

/** What the customer sees and writes. While it is open, what the company writes is read. */
export function PhoneChat({ whatsappId, customer, typing, lookMs, onBack }: Props) {
  const t = useSimulatorText()
  const { number, name } = customer
  const [holding, setHolding] = useState<Holding | null>(null)
  const { data: messages = [], refetch } = useQuery({
    queryKey: ['simulator', whatsappId, number],
    queryFn: () => call(simulator.chat, { params: { whatsappId, number } }),
    refetchInterval: lookMs,
  })
  useReceipts(whatsappId, number, messages)
  /** Does something on the phone and fetches the result; a refusal is shown. */
  const act = async (work: Promise<unknown>) => {
    const done = await work.then(
      () => true,
      error => {
        notify.failed(error)
        return false
      },
    )
    await refetch()
    return done
  }

  return (
    <section className={classes.thread} aria-label={name || number}>
      <header className={classes.bar}>
        <button type="button" className={classes.icon} data-back onClick={onBack} aria-label={t('back')}>
          <IconArrowLeft size={20} />
        </button>
        <Avatar name={name || number} size={34} />
        <h2 className="one-line">{name || `+${number}`}</h2>
        {typing !== 'paused' && (
          <span className={classes.doing} role="status">
            {t(typing)}
          </span>
        )}
      </header>
      <div
        className={classes.box}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
      >
        <div>
          {messages.map(message => (
            <PhoneBubble
              key={message.id}
              message={message}
              quoted={messages.find(({ id }) => id === message.quotedId)}
              onHold={setHolding}
              onReact={emoji =>
                void act(
                  call(simulator.react, {
                    params: { whatsappId, messageId: message.id },
                    body: { number, emoji },
                  }),
                )
              }
              onChoose={choice =>
                void act(
                  call(simulator.write, {
                    params: { whatsappId },
                    body: { number, name, body: choice, quotedId: message.id },
                  }),
                )
              }
              onVote={choices =>
                act(
                  call(simulator.vote, {
                    params: { whatsappId, messageId: message.id },
                    body: { number, choices },
                  }),
                )
              }
              onRemove={() =>
                void act(
                  call(simulator.remove, {
                    params: { whatsappId, messageId: message.id },
                    query: { number },
                  }),
                )
              }
            />
          ))}
        </div>
      </div>
      <PhoneWriter
        key={holding?.message.id}
        whatsappId={whatsappId}
        customer={customer}
        holding={holding}
        onHeld={() => setHolding(null)}
        act={act}
      />
    </section>
  )
}

function useReceipts(whatsappId: number, number: string, messages: SimulatedMessage[]) {
  const unread = messages.some(message => message.fromMe && message.ack < READ)
  useEffect(() => {
    if (!unread) return
    const confirm = (ack: number) =>
      call(simulator.receipt, { params: { whatsappId }, body: { number, ack } })
    confirm(DELIVERED)
      .then(() => confirm(READ))
      .catch(notify.failed)
  }, [unread, whatsappId, number])
}
