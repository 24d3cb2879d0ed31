import type { Message } from '@balcao/contract/messages.ts'
import { IconTrash, IconX } from '@tabler/icons-react'
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
import { discardRecording } from './recording.ts'

const UNDO_SECONDS = 6

/** Files, an answer and a recording that are begun in a ticket that cannot be answered now. */
export default function WaitingParts({ ticketId }: { ticketId: number }) {
  const { files, quoted, recording } = useHeld(ticketId)
  return (
    <>
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
  const drop = () => {
    const undo = discardRecording(ticketId)
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
      <IconButton small label={t('discardRecord')} onClick={drop}>
        <IconTrash size={16} />
      </IconButton>
    </div>
  )
}
