import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowBackUp,
  IconBan,
  IconCopy,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import dayjs from 'dayjs'
import { memo } from 'react'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { AckMark } from './ack-mark.tsx'
import classes from './bubble.module.css'
import { Formatted } from './formatted.tsx'
import { discardMessage, resendMessage } from './messages.send.ts'
import { messageText } from './messages.text.ts'

interface Props {
  message: Message
  /** The first of a group of one sender. */
  first: boolean
  onReply: ((message: Message) => void) | undefined
}

/** One message. What failed stays in its place, says why, and can be sent again. */
export const Bubble = memo(function Bubble({ message, first, onReply }: Props) {
  const t = messageText()
  const failed = message.fromMe && message.ack === FAILED
  return (
    <div className={classes.around} data-mine={message.fromMe || undefined}>
      <article
        id={`message-${message.id}`}
        className={classes.bubble}
        data-mine={message.fromMe || undefined}
        data-first={first || undefined}
        data-failed={failed || undefined}
        data-message={message.id}
      >
        {message.quotedMsg && <Quote message={message} />}
        <Content message={message} />
        <span className={classes.foot}>
          <time dateTime={message.createdAt}>{dayjs(message.createdAt).format('HH:mm')}</time>
          {message.fromMe && <AckMark ack={message.ack} className={classes.ack} />}
        </span>
      </article>
      {onReply && !failed && !message.isDeleted && message.version > 0 && (
        <span className={classes.tools}>
          <IconButton small label={t('reply')} onClick={() => onReply(message)}>
            <IconArrowBackUp size={17} stroke={1.75} />
          </IconButton>
        </span>
      )}
      {failed && <Failure message={message} />}
    </div>
  )
})

function Content({ message }: { message: Message }) {
  const t = messageText()
  if (message.isDeleted)
    return (
      <em className={classes.deleted}>
        <IconBan size={15} stroke={2} aria-hidden />
        {t(message.fromMe ? 'deleted' : 'deletedByContact')}
      </em>
    )
  if (message.mediaType && !message.body)
    return <em className={classes.deleted}>{t('unsupported', { kind: message.mediaType })}</em>
  return <Formatted text={message.body} />
}

function Quote({ message: { quotedMsg: quoted } }: { message: Message }) {
  const t = messageText()
  if (!quoted) return null
  const jump = () => {
    const origin = document.getElementById(`message-${quoted.id}`)
    origin?.scrollIntoView({ block: 'center' })
    origin?.animate([{ filter: 'brightness(0.85)' }, { filter: 'none' }], 600)
  }
  return (
    <button type="button" className={classes.quote} onClick={jump}>
      <strong>{quoted.fromMe ? t('you') : quoted.author}</strong>
      <span>{quoted.isDeleted ? t('deleted') : quoted.body}</span>
    </button>
  )
}

function Failure({ message }: { message: Message }) {
  const t = messageText()
  const { companyId } = useUser()
  return (
    <div className={classes.failure} role="alert">
      <IconAlertCircle size={15} stroke={2} aria-hidden />
      <span>{t('failed', { reason: reasonText(message.failReason) })}</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        onClick={() => void resendMessage(message, companyId).catch(notify.failed)}
      >
        {t('resend')}
      </Button>
      <IconButton small label={t('copy')} onClick={() => void navigator.clipboard.writeText(message.body)}>
        <IconCopy size={16} />
      </IconButton>
      {message.version === 0 && (
        <IconButton small label={t('discard')} onClick={() => discardMessage(message)}>
          <IconTrash size={16} />
        </IconButton>
      )}
    </div>
  )
}
