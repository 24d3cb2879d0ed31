import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconArrowDown } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { showNewest } from '../messages.api.ts'
import type { CachedThread } from '../messages.cache.ts'
import { useMessageText } from '../messages.text.ts'
import type { BubbleTools } from './bubble.tsx'
import { useLongPress } from './long-press.ts'
import { useEnds, useJump, useStill, useUnseen } from './scroll.ts'
import { useStory } from './story.ts'
import { stretchesOf, ThreadStretch } from './stretch.tsx'
import classes from './thread.module.css'
import { useThreadText } from './thread.text.ts'
import { TicketEventRow } from './ticket-event-row.tsx'
import { useOpenedAtUnread, useUnread } from './unread.ts'

/** A message to bring into sight; a new object asks anew. */
export interface Target {
  id: string
}

interface Props {
  ticket: Ticket
  thread: CachedThread
  tools: BubbleTools
  target: Target | null
}

/**
 * The conversation, drawn from its end: the box is a reversed column, so that the newest stays in sight and older
 * pages grow upwards without moving what is read. Stretches far out of sight leave an empty place of their height.
 */
export function Thread({ ticket, thread, tools, target }: Props) {
  const t = useMessageText()
  const s = useThreadText()
  const { messages, hasNewer } = thread
  const box = useRef<HTMLDivElement>(null)
  const story = useStory(ticket.id, thread)
  const unread = useUnread(thread)
  const stretches = useMemo(() => stretchesOf(messages, story), [messages, story])
  const { unseen, isAway, toEnd } = useUnseen(box, thread)
  useEnds(box, ticket.id, thread)
  useOpenedAtUnread(box)
  useStill(box, thread)
  useJump(target, messages)
  useLongPress(box, messages, tools)
  const toNewest = () => {
    toEnd()
    if (hasNewer) void showNewest(ticket.id).catch(notify.failed)
  }
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
        role="log"
        aria-label={t('conversation', { name: ticket.contact.name })}
      >
        <div className={classes.messages}>
          {stretches.map(({ before, messages: part, events }, at) => (
            <ThreadStretch
              key={part[0]!.id}
              box={box}
              before={before}
              messages={part}
              events={events}
              tools={tools}
              last={at === stretches.length - 1}
              wanted={target !== null && part.some(({ id }) => id === target.id) ? target : null}
              unread={unread && part.some(({ id }) => id === unread.id) ? unread : null}
            />
          ))}
          {story.get('')?.map(happened => (
            <TicketEventRow key={happened.id} happened={happened} />
          ))}
        </div>
      </div>
      {(unseen > 0 || isAway) && (
        <button
          type="button"
          className={classes.pill}
          data-bare={unseen === 0 || undefined}
          aria-label={unseen === 0 ? s('toEnd') : undefined}
          title={unseen === 0 ? s('toEnd') : undefined}
          onClick={toNewest}
        >
          <IconArrowDown size={16} aria-hidden />
          {unseen > 0 && s('unread', { count: unseen })}
        </button>
      )}
    </div>
  )
}
