import { UNSET_QUEUE_COLOR } from '@balcao/contract/queues.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../../../platform/session.tsx'
import { clock } from '../../../platform/time.ts'
import { Chip } from '../../../ui/chip.tsx'
import { stable, useTicketList } from '../../tickets/tickets.api.ts'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'

/** The contact's other tickets that the viewer may read, newest first. */
export function EarlierTickets({ ticket }: { ticket: Ticket }) {
  const t = useDrawerText()
  const viewer = useViewer()
  const ofContact = stable({
    search: true,
    showAll: true,
    status: null,
    narrowing: { searchContactId: ticket.contactId },
  })
  const { list, failed, again, more } = useTicketList(ofContact)
  // tickets opened since are not pushed to this list
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once, when the drawer opens
  useEffect(again, [])
  const others = list?.tickets.filter(one => one.id !== ticket.id && canRead(viewer, one)) ?? []
  return (
    <section className={classes.section}>
      <h3>{t('earlier')}</h3>
      {failed && <Failed again={again} />}
      {list && others.length === 0 && !list.hasMore && <p className={classes.note}>{t('noEarlier')}</p>}
      <ul className={classes.rows}>
        {others.map(one => (
          <li key={one.id}>
            <Link className={classes.row} to={`/tickets/${one.id}`} title={t(one.status)}>
              <time dateTime={one.createdAt}>{clock(one.createdAt).format('l')}</time>
              <span className="one-line">{one.lastMessage || t('noWords')}</span>
              {one.queue && <Chip label={one.queue.name} color={one.queue.color || UNSET_QUEUE_COLOR} />}
            </Link>
          </li>
        ))}
      </ul>
      {list?.hasMore && (
        <Button className={classes.more ?? ''} variant="subtle" size="xs" onClick={() => void more()}>
          {t('more')}
        </Button>
      )}
    </section>
  )
}

export function Failed({ again }: { again(): void }) {
  const t = useDrawerText()
  return (
    <p className={classes.note} role="alert">
      {t('failed')}{' '}
      <Button variant="subtle" size="xs" onClick={again}>
        {t('again')}
      </Button>
    </p>
  )
}
