import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useBegun } from '../../../platform/begun.ts'
import { drafts, useDraft } from '../../../platform/drafts.ts'
import { notify } from '../../../platform/notify.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import { useMessageText } from '../messages.text.ts'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'

const UNDO_SECONDS = 6

/** What is begun in a ticket that cannot be answered now: it waits until the ticket is open again, or is dropped here. */
export function WaitingDraft({ ticketId }: { ticketId: number }) {
  const isMore = useBegun(ticketId) !== undefined
  return (
    <>
      <WaitingText ticketId={ticketId} />
      {isMore && <WaitingParts ticketId={ticketId} />}
    </>
  )
}

const WaitingParts = soon(() => import('./waiting-parts.tsx'))

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
