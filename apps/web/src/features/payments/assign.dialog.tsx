import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { OpenInvoices } from './open-invoices.tsx'
import { PaymentCompany, usePaymentCompany } from './payment-company.tsx'
import { assignPayment } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'
import { useSettling } from './settling.ts'

/** Pays one of the open invoices of a company with what is free of a payment. */
export function AssignDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = usePaymentText()
  const { company, choose } = usePaymentCompany(payment)
  const [invoiceId, setInvoice] = useState(0)
  const { busy, settle } = useSettling(t('assigned'), onClose)
  return (
    <Dialog title={t('assignNamed', { value: brl(payment.freeValue) })} onClose={onClose}>
      <Stack gap={12}>
        <PaymentCompany
          payment={payment}
          company={company}
          onPick={row => {
            choose(row)
            setInvoice(0)
          }}
        />
        {company && (
          <OpenInvoices
            key={company.id}
            companyId={company.id}
            chosen={invoiceId}
            onChoose={setInvoice}
            none={t('noOpen')}
          />
        )}
        <Text size="sm">{t('assignHint')}</Text>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button
          disabled={!company || invoiceId === 0}
          loading={busy}
          onClick={() => void settle(() => assignPayment(payment.id, invoiceId))}
        >
          {t('assign')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
