import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { tryCampaign } from './campaigns.api.ts'
import { useManagerText } from './campaigns.running.text.ts'

/** Sends each message once to a number of one's own. */
export function CampaignTrialDialog({ campaignId, onClose }: { campaignId: number; onClose(): void }) {
  const t = useManagerText()
  const [number, setNumber] = useState('')
  const [busy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    try {
      const { sent } = await tryCampaign(campaignId, number)
      notify.done(t('tested', { count: sent }))
      onClose()
    } catch (error) {
      notify.failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('test')} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void send()
        }}
      >
        <TextInput
          data-autofocus
          type="tel"
          label={t('number')}
          description={t('testHint')}
          value={number}
          onChange={event => setNumber(event.currentTarget.value)}
        />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={number.trim().length < 8}>
            {t('send')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
