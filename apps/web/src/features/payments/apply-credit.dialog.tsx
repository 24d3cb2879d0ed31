import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { OpenInvoices } from './open-invoices.tsx'
import { applyCredit } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'
import { useSettling } from './settling.ts'

/** Pays an open invoice with all the free credit of a company. */
export function ApplyCreditDialog({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = usePaymentText()
  const [requestId] = useState(newId)
  const [invoiceId, setInvoice] = useState(0)
  const { busy, settle } = useSettling(t('creditApplied'), onClose)
  return (
    <Dialog title={t('applyCredit')} onClose={onClose}>
      <Stack gap={12}>
        <OpenInvoices
          companyId={companyId}
          chosen={invoiceId}
          onChoose={setInvoice}
          none={t('nothingOpen')}
        />
        <Text size="sm">{t('applyHint')}</Text>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button
          disabled={invoiceId === 0}
          loading={busy}
          onClick={() => void settle(() => applyCredit(companyId, { invoiceId, requestId }))}
        >
          {t('assign')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
