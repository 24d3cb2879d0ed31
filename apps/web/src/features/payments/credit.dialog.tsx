import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Button, Stack, Text } from '@mantine/core'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { PaymentCompany, usePaymentCompany } from './payment-company.tsx'
import { creditPayment } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'
import { useSettling } from './settling.ts'

/** Keeps what is free of a payment as credit of its company, or of a chosen one where it has none. */
export function CreditDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = usePaymentText()
  const { company, choose } = usePaymentCompany(payment)
  const { busy, settle } = useSettling(t('kept'), onClose)
  const named = payment.companyId === null ? company?.id : undefined
  return (
    <Dialog title={t('creditNamed', { value: brl(payment.freeValue) })} onClose={onClose}>
      <Stack gap={12}>
        <PaymentCompany payment={payment} company={company} onPick={choose} />
        <Text size="sm">{t('creditHint')}</Text>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button
          disabled={!company}
          loading={busy}
          onClick={() => void settle(() => creditPayment(payment.id, named))}
        >
          {t('keep')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
