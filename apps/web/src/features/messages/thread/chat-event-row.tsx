import { chatEventIn } from '@balcao/contract/kinds.rules.ts'
import type { Happening } from '@balcao/contract/kinds.ts'
import type { Message } from '@balcao/contract/messages.ts'
import {
  IconBan,
  IconChartBar,
  IconClock,
  IconInfoCircle,
  IconMoodSmile,
  IconPencil,
  IconPin,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useUser } from '../../../platform/session.tsx'
import { clock } from '../../../platform/time.ts'
import { briefly, writerOf } from '../../media/words.ts'
import { useChatEventText } from './thread.events.text.ts'
import classes from './thread.module.css'

const ICONS: Partial<Record<Happening, typeof IconPin>> = {
  pinned: IconPin,
  unpinned: IconPin,
  changed: IconPencil,
  voted: IconChartBar,
  reacted: IconMoodSmile,
  kept: IconPin,
  withdrew: IconBan,
  undelivered: IconInfoCircle,
  timerOn: IconClock,
  timerOff: IconClock,
}

/** Something that happened in the chat on WhatsApp: a new subject, somebody joined, a message was pinned. */
export default function ChatEventRow({ message, onJump }: { message: Message; onJump(id: string): void }) {
  const t = useChatEventText()
  const me = useUser().id
  const event = chatEventIn(message)
  const { quotedMsg, createdAt, body } = message
  if (!event) return <p className={classes.event}>{briefly(message)}</p>
  const { what, people } = event
  const Icon = ICONS[what] ?? IconUsersGroup
  const quotedId = quotedMsg?.id
  return (
    <p className={classes.event} id={`message-${message.id}`}>
      <Icon size={15} stroke={2} aria-hidden />
      <span>
        <strong>{message.author || message.fromMe ? writerOf(message, me) : message.contact.name}</strong>{' '}
        {t(what, { name: body, people: people.join(', ') })}
        {quotedMsg && quotedId && (
          <>
            {' '}
            <button type="button" className={classes.pinned} onClick={() => onJump(quotedId)}>
              {briefly(quotedMsg)}
            </button>
          </>
        )}{' '}
        · <time dateTime={createdAt}>{clock(createdAt).format('HH:mm')}</time>
      </span>
    </p>
  )
}
