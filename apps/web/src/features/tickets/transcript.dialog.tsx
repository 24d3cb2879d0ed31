import type { Ticket } from '@balcao/contract/tickets.ts'
import { transcripts } from '@balcao/contract/transcripts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { addressOf, call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useTranscriptText } from './tickets.transcript.text.ts'

/** The conversation as a PDF: saved here, or mailed to the contact. */
export default function TranscriptDialog({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const t = useTranscriptText()
  const [busy, setBusy] = useState<'save' | 'mail' | null>(null)
  const params = { ticketId: ticket.id }
  const { protocol, contact } = ticket
  async function save() {
    const address = addressOf(transcripts.pdf.path, params, { language: language() })
    const options = bytesOptions(address)
    // the conversation goes on: no copy of before is shown
    queryClient.removeQueries({ queryKey: options.queryKey })
    saveBytes(await queryClient.fetchQuery(options), `${t('file', { protocol })}.pdf`)
  }
  async function mail() {
    const { to } = await call(transcripts.mail, { params, body: { language: language() } })
    notify.done(t('mailed', { to }))
  }
  const run = (what: 'save' | 'mail') => {
    setBusy(what)
    void (what === 'save' ? save() : mail()).then(onClose, notify.failed).finally(() => setBusy(null))
  }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <p style={{ margin: 0 }}>{t('holds')}</p>
      <DialogActions onClose={onClose}>
        <Button
          variant="default"
          loading={busy === 'mail'}
          disabled={busy !== null || contact.email === ''}
          onClick={() => run('mail')}
        >
          {contact.email === '' ? t('noMail') : t('mail', { to: contact.email })}
        </Button>
        <Button data-autofocus loading={busy === 'save'} disabled={busy !== null} onClick={() => run('save')}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
