import { messageChannel } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconPin, IconPinnedOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listen } from '../../../platform/live.ts'
import { useMinute } from '../../../platform/minute.ts'
import { notify } from '../../../platform/notify.tsx'
import { askAgain, queryClient } from '../../../platform/query.ts'
import { visiting } from '../../../platform/visit.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Banner } from '../../../ui/status.tsx'
import { briefly } from '../../media/words.ts'
import { usePinText } from '../actions/actions.pins.text.ts'
import { pinMessage, pinsOptions } from '../actions/actions.pins.ts'
import classes from './conversation.module.css'

/** The pinned messages, one at a time: each press shows it in the conversation, and here the next one. */
export default function PinnedBanner({ ticket, onJump }: { ticket: Ticket; onJump(id: string): void }) {
  const t = usePinText()
  const now = useMinute()
  const { data } = useQuery(pinsOptions(ticket.id))
  const [at, setAt] = useState(0)
  useEffect(() => listenToPins(ticket), [ticket])
  const pins = (data?.pins ?? []).filter(({ pinnedUntil }) => Date.parse(pinnedUntil) > now)
  const place = pins.length > 0 ? at % pins.length : 0
  const shown = pins[place]
  if (!shown) return null
  return (
    <Banner
      tone="neutral"
      icon={<IconPin size={17} aria-hidden />}
      action={
        ticket.status === 'open' &&
        data?.mayPin &&
        !visiting.now() && (
          <IconButton
            small
            label={t('unpin')}
            onClick={() => void pinMessage(shown, null).catch(notify.failed)}
          >
            <IconPinnedOff size={16} />
          </IconButton>
        )
      }
    >
      <button
        type="button"
        className={classes.pin}
        onClick={() => {
          onJump(shown.id)
          setAt(place + 1)
        }}
      >
        <strong>{t('pinned')}</strong>
        {pins.length > 1 && ` (${t('place', { count: place + 1, name: `${pins.length}` })})`}
        {': '}
        {briefly(shown)}
      </button>
    </Banner>
  )
}

/** Pins and their ends are lines of the conversation; a pinned message may be edited or deleted. */
const listenToPins = ({ id, contactId }: Ticket) =>
  listen(messageChannel, push => {
    const { queryKey } = pinsOptions(id)
    if (push.action === 'delete') return
    const { message } = push
    const isLine = message.mediaType === 'chat_event' && message.quotedMsg !== null
    const isShown = queryClient.getQueryData(queryKey)?.pins.some(one => one.id === message.id)
    const isChanged = isShown && (message.isDeleted || message.editedAt !== null)
    if (message.contactId === contactId && (isLine || isChanged)) void askAgain({ queryKey })
  })
