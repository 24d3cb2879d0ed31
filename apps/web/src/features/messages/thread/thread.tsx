import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconArrowDown } from '@tabler/icons-react'
import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { showNewest } from '../messages.api.ts'
import type { CachedThread } from '../messages.cache.ts'
import { useMessageText } from '../messages.text.ts'
import type { BubbleTools } from './bubble.tsx'
import { useLongPress } from './long-press.ts'
import { useEnds, useJump, useStill, useUnseen } from './scroll.ts'
import { between, protocolsOf, useStory } from './story.ts'
import { Lines, nothingKnown, stretchesOf, ThreadStretch } from './stretch.tsx'
import classes from './thread.module.css'
import { useThreadText } from './thread.text.ts'
import { useOpenedAtUnread, useUnread } from './unread.ts'
import { useWatch } from './watch.ts'

/** So many messages fill a screen. */
const FIRST_DRAWN = 16

/** A message to scroll to; a new object scrolls again. */
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
 * The conversation, drawn from its end: the box is a reversed column, so that the newest stays visible and
 * older pages grow upwards without moving what is read. Stretches far outside the viewport are placeholders
 * of their height.
 */
export function Thread({ ticket, thread, tools, target }: Props) {
  const t = useMessageText()
  const s = useThreadText()
  const { messages, hasNewer } = thread
  const box = useRef<HTMLDivElement>(null)
  const story = useStory(ticket.id, thread)
  const unread = useUnread(thread)
  const [known] = useState(nothingKnown)
  const isWhole = useWhole(unread !== null || target !== null || messages.length <= FIRST_DRAWN)
  const drawn = useMemo(() => (isWhole ? messages : messages.slice(-FIRST_DRAWN)), [messages, isWhole])
  const stretches = useMemo(() => stretchesOf(drawn, story, known), [drawn, story, known])
  const watch = useWatch(box)
  const { unseen, isAway, toEnd } = useUnseen(box, thread)
  useEnds(box, ticket.id, thread, isWhole)
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
        // pages, stretches and changes are rendered here too: new messages are announced on their push
        aria-live="off"
        aria-label={t('conversation', { name: ticket.contact.name })}
      >
        <div className={classes.messages}>
          {stretches.map(({ key, before, messages: part, above }, at) => (
            <ThreadStretch
              key={key}
              watch={watch}
              before={before}
              messages={part}
              above={above}
              tools={tools}
              last={at === stretches.length - 1}
              wanted={target !== null && part.some(({ id }) => id === target.id) ? target : null}
              unread={unread && part.some(({ id }) => id === unread.id) ? unread : null}
            />
          ))}
          <Lines rows={between(messages.at(-1), story.get('') ?? [], undefined, protocolsOf(messages))} />
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

/** The end of a conversation is drawn first, the rest above it afterwards; nothing visible moves. */
function useWhole(isAtOnce: boolean): boolean {
  const [isWhole, setWhole] = useState(isAtOnce)
  useEffect(() => {
    if (isWhole) return
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setWhole(true))))
    return () => cancelAnimationFrame(frame)
  }, [isWhole])
  return isWhole || isAtOnce
}
