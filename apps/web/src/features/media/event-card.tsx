import type { EventData, EventReply } from '@balcao/contract/kinds.ts'
import { IconCalendarEvent, IconMapPin } from '@tabler/icons-react'
import { clock } from '../../platform/time.ts'
import classes from './cards.module.css'
import { Formatted } from './formatted.tsx'
import { useCardText } from './media.cards.text.ts'

const REPLIES: EventReply[] = ['going', 'maybe', 'notGoing']

/** An event of a chat: time, place, and who comes. */
export function EventCard({ event }: { event: EventData }) {
  const t = useCardText()
  const { name, description, place, isCanceled, replies } = event
  return (
    <div className={classes.card}>
      <strong>{isCanceled ? <s>{name}</s> : name}</strong>
      {isCanceled && <span className={classes.warn}>{t('canceled')}</span>}
      {event.startsAt && (
        <span className={classes.fact}>
          <IconCalendarEvent size={15} stroke={1.75} aria-hidden />
          <time dateTime={event.startsAt}>{timesOf(event)}</time>
        </span>
      )}
      {place && (
        <span className={classes.fact}>
          <IconMapPin size={15} stroke={1.75} aria-hidden />
          {place}
        </span>
      )}
      {description && <Formatted text={description} />}
      <dl className={classes.fields}>
        {REPLIES.map(reply => {
          const those = replies.filter(one => one.reply === reply)
          if (those.length === 0) return null
          return (
            <div key={reply}>
              <dt>
                {t(reply)} ({those.reduce((sum, { guests }) => sum + 1 + guests, 0)})
              </dt>
              <dd>
                {those
                  .map(({ name, guests }) => (guests > 0 ? t('withGuests', { name, count: guests }) : name))
                  .join(', ')}
              </dd>
            </div>
          )
        })}
      </dl>
      {replies.length === 0 && <span>{t('noReplies')}</span>}
    </div>
  )
}

function timesOf({ startsAt, endsAt }: EventData) {
  const [from, until] = [clock(startsAt!), endsAt ? clock(endsAt) : null]
  const end = until?.format(until.isSame(from, 'day') ? 'LT' : 'L LT')
  return [from.format('L LT'), end].filter(Boolean).join(' – ')
}
