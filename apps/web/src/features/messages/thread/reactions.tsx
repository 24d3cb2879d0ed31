import type { Message } from '@balcao/contract/messages.ts'
import { type MouseEvent, useState } from 'react'
import { useUser } from '../../../platform/session.tsx'
import classes from './bubble.module.css'
import { useThreadText } from './thread.text.ts'

/** Reactions: each emoji once, with its count. A finger, which has no hint, first reads who reacted. */
export function Reactions({
  message,
  onToggle,
}: {
  message: Message
  onToggle?: ((emoji: string) => void) | undefined
}) {
  const t = useThreadText()
  const [opened, setOpened] = useState('')
  const me = useUser().name
  const names = new Map<string, string[]>()
  for (const { emoji, fromMe, name } of message.reactions)
    names.set(emoji, [...(names.get(emoji) ?? []), fromMe && name === me ? t('you') : name || t('team')])
  if (names.size === 0) return null
  const mine = message.reactions.find(({ fromMe }) => fromMe)?.emoji
  const shown = names.get(opened)
  const press = (emoji: string, { nativeEvent }: MouseEvent) => {
    if ((nativeEvent as PointerEvent).pointerType === 'touch') setOpened(opened === emoji ? '' : emoji)
    else onToggle?.(emoji)
  }
  return (
    <>
      <ul className={classes.reactions}>
        {[...names].map(([emoji, who]) => (
          <li key={emoji}>
            <button
              type="button"
              aria-label={t('reactions', { list: `${emoji} ${who.join(', ')}` })}
              aria-pressed={emoji === mine}
              aria-disabled={!onToggle}
              title={who.join(', ')}
              onClick={event => press(emoji, event)}
            >
              <span aria-hidden>{emoji}</span>
              {who.length > 1 && <span aria-hidden>{who.length}</span>}
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <p className={classes.reacted} role="status">
          {opened} {shown.join(', ')}
          {onToggle && (
            <button
              type="button"
              onClick={() => {
                setOpened('')
                onToggle(opened)
              }}
            >
              {t(opened === mine ? 'unreact' : 'reactToo')}
            </button>
          )}
        </p>
      )}
    </>
  )
}
