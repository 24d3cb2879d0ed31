import type { Message } from '@balcao/contract/messages.ts'
import { useUser } from '../../../platform/session.tsx'
import classes from './bubble.module.css'
import { useThreadText } from './thread.text.ts'

/** Reactions: each emoji once, with its count. */
export function Reactions({
  message,
  onToggle,
}: {
  message: Message
  onToggle?: ((emoji: string) => void) | undefined
}) {
  const t = useThreadText()
  const me = useUser().name
  const names = new Map<string, string[]>()
  for (const { emoji, fromMe, name } of message.reactions)
    names.set(emoji, [...(names.get(emoji) ?? []), fromMe && name === me ? t('you') : name || t('team')])
  if (names.size === 0) return null
  const mine = message.reactions.find(({ fromMe }) => fromMe)?.emoji
  return (
    <ul className={classes.reactions}>
      {[...names].map(([emoji, who]) => (
        <li key={emoji}>
          <button
            type="button"
            aria-label={t('reactions', { list: `${emoji} ${who.join(', ')}` })}
            aria-pressed={emoji === mine}
            title={who.join(', ')}
            disabled={!onToggle}
            onClick={() => onToggle?.(emoji)}
          >
            <span aria-hidden>{emoji}</span>
            {who.length > 1 && <span aria-hidden>{who.length}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
