import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconAlertCircle, IconCopy, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import { reasonText } from '../../../platform/errors.text.ts'
import { notify } from '../../../platform/notify.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useSent } from '../../media/upload.ts'
import { useMessageText } from '../messages.text.ts'
import { discardMessage, resendMessage } from '../sending/send.ts'
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

/** Why a message was not sent, and what to do about it. */
export function BubbleFailure({ message }: { message: Message }) {
  const t = useMessageText()
  return (
    <div className={classes.failure} role="alert">
      <IconAlertCircle size={15} stroke={2} aria-hidden />
      <span className={classes.reason}>{t('failed', { reason: reasonText(message.failReason) })}</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        onClick={() => void resendMessage(message).catch(notify.failed)}
      >
        {t('resend')}
      </Button>
      {message.body && (
        <IconButton small label={t('copy')} onClick={() => void navigator.clipboard.writeText(message.body)}>
          <IconCopy size={16} />
        </IconButton>
      )}
      {message.version === 0 && (
        <IconButton small label={t('discard')} onClick={() => discardMessage(message)}>
          <IconTrash size={16} />
        </IconButton>
      )}
    </div>
  )
}
