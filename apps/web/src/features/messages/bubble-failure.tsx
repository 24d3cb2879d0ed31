import type { Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconAlertCircle, IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './bubble.module.css'
import { discardMessage, resendMessage } from './messages.send.ts'
import { useMessageText } from './messages.text.ts'

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
