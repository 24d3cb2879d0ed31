import { DELIVERED, FAILED, READ } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import {
  IconAlertCircle,
  IconCheck,
  IconChecks,
  IconClock,
  IconCopy,
  IconRefresh,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { reasonText } from '../../../platform/errors.text.ts'
import { notify } from '../../../platform/notify.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useMediaText } from '../media/media.text.ts'
import { useSent } from '../media/upload.ts'
import { useMessageText } from '../messages.text.ts'
import { discardMessage, resendMessage } from '../sending/send.ts'
import classes from './bubble.module.css'

interface Props {
  ack: number
  className: string | undefined
  /** Only this screen knows the message yet. */
  isLeaving?: boolean
}

/** How far a message got: clock, one check, two, two in colour, or an alarm; each in words for a screen reader. */
export function AckMark({ ack, className, isLeaving = false }: Props) {
  const t = useMessageText()
  const Icon =
    ack === FAILED ? IconAlertCircle : isLeaving ? IconClock : ack >= DELIVERED ? IconChecks : IconCheck
  const label = t(isLeaving && ack !== FAILED ? 'leaving' : `ack${Math.min(ack, 5) as 0 | 1 | 2 | 3 | 4 | 5}`)
  return (
    <span
      className={className}
      data-ack={ack}
      data-read={ack >= READ || undefined}
      data-failed={ack === FAILED || undefined}
      role="img"
      aria-label={label}
      title={label}
    >
      <Icon size={15} stroke={2} aria-hidden style={{ display: 'block' }} />
    </span>
  )
}

/** How much of a file left, and the way to call it off. */
export function UploadBar({ message }: { message: Message }) {
  const t = useMediaText()
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

/** Why a message did not go, and what to do about it. */
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
