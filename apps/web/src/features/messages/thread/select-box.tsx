import { mayForward } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { briefly } from '../../media/words.ts'
import classes from './select-box.module.css'
import { toggleSelected, useSelected } from './selection.ts'
import { useThreadText } from './thread.text.ts'

/**
 * In selection mode: the checkbox of a message, over its whole row. A message that cannot be forwarded has
 * none that is enabled.
 */
export function SelectBox({ message }: { message: Message }) {
  const t = useThreadText()
  const selected = useSelected(message.id)
  if (selected === null) return null
  return (
    <label className={classes.row} data-on={selected === 'on' || undefined}>
      <input
        type="checkbox"
        aria-label={t('select', { text: briefly(message) })}
        checked={selected === 'on'}
        disabled={selected === 'full' || !mayForward(message)}
        onChange={() => toggleSelected(message.id)}
      />
    </label>
  )
}
