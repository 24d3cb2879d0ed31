import type { Message } from '@balcao/contract/messages.ts'
import { IconCopy, IconTrash, IconX } from '@tabler/icons-react'
import { drafts, useDraft } from '../../../platform/drafts.ts'
import { notify } from '../../../platform/notify.tsx'
import { useUser } from '../../../platform/session.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { briefly, clockTime, writerOf } from '../../media/words.ts'
import { useMessageText } from '../messages.text.ts'
import { AttachmentTray } from './attachments.tsx'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { discardedNotice, hold, useHeld } from './held.ts'
import { quote } from './kept-drafts.ts'

const UNDO_SECONDS = 6

/** What is begun in a ticket that cannot be answered now: it waits until the ticket is open again, or is dropped here. */
export function WaitingDraft({ ticketId }: { ticketId: number }) {
  const { files, quoted, recording } = useHeld(ticketId)
  return (
    <>
      <WaitingText ticketId={ticketId} />
      {quoted && <WaitingQuote ticketId={ticketId} quoted={quoted} />}
      {recording && <WaitingRecording ticketId={ticketId} seconds={recording.seconds} />}
      {files.length > 0 && (
        <div className={classes.waitingDraft}>
          <AttachmentTray
            files={files}
            onRemove={key => hold(ticketId, { files: files.filter(file => file.key !== key) })}
          />
        </div>
      )}
    </>
  )
}

function WaitingQuote({ ticketId, quoted }: { ticketId: number; quoted: Message }) {
  const m = useMessageText()
  const name = writerOf(quoted, useUser().id)
  return (
    <div className={classes.waitingDraft}>
      <strong>{m('replyingTo', { name })}</strong>
      <span className="one-line" dir="auto">
        {briefly(quoted)}
      </span>
      <IconButton small label={m('cancelReply')} onClick={() => quote(ticketId, null)}>
        <IconX size={16} />
      </IconButton>
    </div>
  )
}

function WaitingRecording({ ticketId, seconds }: { ticketId: number; seconds: number }) {
  const t = useComposeText()
  const drop = async () => {
    const undo = (await parts()).discardRecording(ticketId)
    const action = undo && { label: t('undo'), act: undo }
    notify.done(t('recordDiscarded'), {
      id: discardedNotice(ticketId),
      seconds: UNDO_SECONDS,
      ...(action && { action }),
    })
  }
  return (
    <div className={classes.waitingDraft}>
      <strong>{t('recordingBegun')}</strong>
      <span className="one-line">{clockTime(seconds)}</span>
      <IconButton small label={t('discardRecord')} onClick={() => void drop()}>
        <IconTrash size={16} />
      </IconButton>
    </div>
  )
}

/** The encoder is loaded with a recording, not with every conversation. */
const parts = () => import('./recording.ts')

function WaitingText({ ticketId }: { ticketId: number }) {
  const t = useComposeText()
  const m = useMessageText()
  const body = useDraft(ticketId)
  if (!body) return null
  const drop = () => {
    drafts.keep(ticketId, '')
    notify.done(t('draftDropped'), {
      id: `draft ${ticketId}`,
      seconds: UNDO_SECONDS,
      action: { label: t('undo'), act: () => drafts.read(ticketId) || drafts.keep(ticketId, body) },
    })
  }
  return (
    <div className={classes.waitingDraft}>
      <strong>{t('draft')}</strong>
      <span className="one-line" dir="auto" title={body}>
        {body}
      </span>
      <IconButton small label={m('copy')} onClick={() => void navigator.clipboard.writeText(body)}>
        <IconCopy size={16} />
      </IconButton>
      <IconButton small label={t('dropDraft')} onClick={drop}>
        <IconTrash size={16} />
      </IconButton>
    </div>
  )
}
