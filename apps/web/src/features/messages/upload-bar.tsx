import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconX } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './bubble.module.css'
import { useKindText } from './messages.kinds.text.ts'
import { discardMessage } from './messages.send.ts'
import { useSent } from './messages.upload.ts'

/** How much of a file left, and the way to call it off. */
export function UploadBar({ message }: { message: Message }) {
  const t = useKindText()
  const sent = useSent(message.id)
  if (sent === null || message.ack === FAILED) return null
  const percent = Math.round(sent * 100)
  return (
    <div className={classes.upload}>
      <progress value={percent} max={100} aria-label={t('sent', { percent })} />
      <span aria-hidden>{percent} %</span>
      <IconButton
        small
        label={t('cancelUpload', { name: message.media?.name ?? '' })}
        onClick={() => discardMessage(message)}
      >
        <IconX size={16} />
      </IconButton>
    </div>
  )
}
