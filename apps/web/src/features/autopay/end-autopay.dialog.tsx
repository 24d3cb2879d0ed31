import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { endAutopay } from './autopay.api.ts'
import { useAutopayText } from './autopay.text.ts'

/** Invoices are paid by their links again. */
export function EndAutopayDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = useAutopayText()
  const [busy, setBusy] = useState(false)
  async function end() {
    setBusy(true)
    await endAutopay(companyId).then(() => notify.done(t('done')), notify.failed)
    onClose()
  }
  return (
    <Dialog title={t('endTitle')} onClose={onClose}>
      <Text size="sm">{t('endHint')}</Text>
      <DialogActions onClose={onClose} careful>
        <Button data-danger loading={busy} onClick={() => void end()}>
          {t('end')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
