import type { ClientCompany } from '@balcao/contract/clients.ts'
import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { removeClient } from './clients.api.ts'
import { useClientText } from './clients.text.ts'

/** Requires the name of the company before all of its data is deleted. */
export function RemoveClientDialog({ client, onClose }: { client: ClientCompany; onClose(): void }) {
  const t = useClientText()
  const [written, write] = useState('')
  const [busy, setBusy] = useState(false)
  const name = client.name.trim()
  async function remove() {
    setBusy(true)
    await removeClient(client.id).then(() => notify.done(t('removed')), notify.failed)
    onClose()
  }
  return (
    <Dialog title={t('removeTitle', { name })} onClose={onClose}>
      <Text size="sm" mb={12}>
        {t('removeHint')}
      </Text>
      <TextInput
        label={t('typeName', { name })}
        autoComplete="off"
        value={written}
        onChange={event => write(event.currentTarget.value)}
      />
      <DialogActions onClose={onClose} careful>
        <Button data-danger disabled={written.trim() !== name} loading={busy} onClick={() => void remove()}>
          {t('remove')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
