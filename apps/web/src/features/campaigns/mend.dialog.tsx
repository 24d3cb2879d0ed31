import type { CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { mendDispatch } from './campaigns.api.ts'
import { useManagerText } from './campaigns.running.text.ts'

/** Corrects the number and the name of a person who waits or failed. */
export function MendDialog({ dispatch, onClose }: { dispatch: CampaignDispatch; onClose(): void }) {
  const t = useManagerText()
  const [number, setNumber] = useState(dispatch.number && `+${dispatch.number}`)
  const [name, setName] = useState(dispatch.name)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await mendDispatch(dispatch, { number, name })
      notify.done(t('mended'))
      onClose()
    } catch (error) {
      setBusy(false)
      if (!(error instanceof ApiError) || error.field !== 'number') return notify.failed(error)
      setFault(error.code === 'ERR_BAD_REQUEST' ? t('badNumber') : errorText(error))
    }
  }
  return (
    <Dialog title={t('mendTitle')} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack gap={12}>
          <TextInput
            data-autofocus
            type="tel"
            label={t('number')}
            description={t('mendHint')}
            maxLength={60}
            value={number}
            error={fault}
            onChange={event => setNumber(event.currentTarget.value)}
          />
          <TextInput
            label={t('name')}
            maxLength={50}
            dir="auto"
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={number.trim().length < 8}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
