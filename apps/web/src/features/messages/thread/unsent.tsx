import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconAlertCircle, IconArrowBackUp, IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { reasonText } from '../../../platform/errors.text.ts'
import { useLiveState } from '../../../platform/live.ts'
import { notify } from '../../../platform/notify.tsx'
import { texts } from '../../../platform/text.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { mayTakeBack, takeBack } from '../composer/take-back.ts'
import { ANSWERED } from '../messages.answers.ts'
import { useMessageText } from '../messages.text.ts'
import { discardMessage, resendMessage } from '../sending/send.ts'
import classes from './bubble.module.css'

const useText = texts({
  answered: [
    'Não enviada: alguém respondeu enquanto ela esperava a conexão.',
    'Not sent: somebody answered while it waited for the connection.',
    'No enviado: alguien respondió mientras esperaba la conexión.',
  ],
})

/** What is to be known and done of a message that waits, or was not sent. */
export function Unsent({ message }: { message: Message }) {
  return message.ack === FAILED ? <BubbleFailure message={message} /> : <BubbleWaiting message={message} />
}

/** So long a message leaves without a word about it. */
const SOON_MS = 3_000

/** A message that waits for the connection can be copied, and taken back into the composer. */
function BubbleWaiting({ message }: { message: Message }) {
  const t = useMessageText()
  const isOffline = useLiveState() === 'offline'
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isOffline && !isLate) return null
  return (
    <div className={classes.waits}>
      <span className={classes.reason}>{t('waits')}</span>
      {message.body && <CopyButton body={message.body} />}
      <TakeBackButton message={message} />
    </div>
  )
}

function CopyButton({ body }: { body: string }) {
  const t = useMessageText()
  return (
    <IconButton small label={t('copy')} onClick={() => void navigator.clipboard.writeText(body)}>
      <IconCopy size={16} />
    </IconButton>
  )
}

function TakeBackButton({ message }: { message: Message }) {
  const t = useMessageText()
  if (mayTakeBack(message))
    return (
      <IconButton small label={t('takeBack')} onClick={() => takeBack(message)}>
        <IconArrowBackUp size={16} />
      </IconButton>
    )
  return (
    <IconButton small label={t('discard')} onClick={() => discardMessage(message)}>
      <IconTrash size={16} />
    </IconButton>
  )
}

/** Why a message was not sent, and what to do about it. */
function BubbleFailure({ message }: { message: Message }) {
  const t = useMessageText()
  const u = useText()
  return (
    <div className={classes.failure} role="alert">
      <IconAlertCircle size={15} stroke={2} aria-hidden />
      <span className={classes.reason}>
        {message.failReason === ANSWERED
          ? u('answered')
          : t('failed', { reason: reasonText(message.failReason) })}
      </span>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        onClick={() => void resendMessage(message).catch(notify.failed)}
      >
        {t('resend')}
      </Button>
      {message.body && <CopyButton body={message.body} />}
      {message.version === 0 && mayTakeBack(message) && <TakeBackButton message={message} />}
      {message.version === 0 && (
        <IconButton small label={t('discard')} onClick={() => discardMessage(message)}>
          <IconTrash size={16} />
        </IconButton>
      )}
    </div>
  )
}
