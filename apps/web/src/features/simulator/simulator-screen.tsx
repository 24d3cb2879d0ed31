import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { IconMessagePlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { call } from '../../platform/call.ts'
import { phoneText } from '../../platform/phone.ts'
import { useBranding } from '../../shell/branding.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useLoadOn } from '../../ui/list-screen/load-on.ts'
import { shortTime } from '../tickets/times.ts'
import { NewChat } from './new-chat.tsx'
import { PhoneChat } from './phone-chat.tsx'
import classes from './simulator.module.css'
import { useSimulatorText } from './simulator.text.ts'

/** Polling interval of the phone: it is a phone, not a screen of the product. */
const LOOK_MS = 1_000

export interface Customer {
  number: string
  name: string
}

/** A phone to try the product with: its customers on the left, one conversation on the right. */
export default function SimulatorScreen() {
  const t = useSimulatorText()
  const { platformName } = useBranding()
  const title = `${t('title')} · ${platformName}`
  useEffect(() => {
    document.title = title
  }, [title])
  const whatsappId = Number(useParams().whatsappId)
  const [customer, setCustomer] = useState<Customer | null>(null)
  const [adding, setAdding] = useState(false)
  const query = useInfiniteQuery({
    queryKey: ['simulator', whatsappId, 'chats'],
    queryFn: ({ pageParam: before }) => call(simulator.chats, { params: { whatsappId }, query: { before } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => (page.length === LONG_PAGE ? page.at(-1)?.lastId : undefined),
    refetchInterval: LOOK_MS,
  })
  const scroller = useLoadOn<HTMLUListElement>(query)
  const chats = query.data?.pages.flat() ?? []
  const choose = (next: Customer | null) => {
    setCustomer(next)
    setAdding(false)
  }
  return (
    <main className={classes.desk}>
      <div className={classes.phone} data-chat={customer !== null || adding || undefined}>
        <aside className={classes.list}>
          <header className={classes.bar}>
            <h1>{t('title')}</h1>
            <button
              type="button"
              className={classes.icon}
              onClick={() => setAdding(true)}
              aria-label={t('newChat')}
              title={t('newChat')}
            >
              <IconMessagePlus size={20} stroke={1.75} />
            </button>
          </header>
          <ul {...scroller} aria-label={t('customers')}>
            {chats.map(chat => (
              <li key={chat.number}>
                <button
                  type="button"
                  className={classes.chat}
                  aria-current={chat.number === customer?.number}
                  onClick={() => choose(chat)}
                >
                  <Avatar name={chat.name || chat.number} size={40} />
                  <span className={classes.words}>
                    <strong className="one-line">{chat.name || phoneText(chat.number)}</strong>
                    <span className="one-line">{chat.lastMessage}</span>
                  </span>
                  <time dateTime={chat.updatedAt}>{shortTime(chat.updatedAt)}</time>
                </button>
              </li>
            ))}
          </ul>
        </aside>
        {adding && <NewChat onStart={choose} onCancel={() => setAdding(false)} />}
        {!adding && customer && (
          <PhoneChat
            key={customer.number}
            whatsappId={whatsappId}
            customer={customer}
            typing={chats.find(({ number }) => number === customer.number)?.typing ?? 'paused'}
            lookMs={LOOK_MS}
            onBack={() => choose(null)}
          />
        )}
        {!adding && !customer && <p className={classes.nothing}>{t('choose')}</p>}
      </div>
    </main>
  )
}
