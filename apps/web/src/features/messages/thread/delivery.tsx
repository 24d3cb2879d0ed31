import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconX } from '@tabler/icons-react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useSent } from '../../media/upload.ts'
import { discardMessage } from '../sending/send.ts'
import classes from './bubble.module.css'
import { useThreadText } from './thread.text.ts'

/** Progress of an upload, and its cancel button. */
export function UploadBar({ message }: { message: Message }) {
  const t = useThreadText()
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
