import { CancelInput } from '@balcao/contract/invoices.ts'
import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { refundPayment } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'

/** Gives what is free of a payment back, with a reason. */
export function RefundDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = usePaymentText()
  const [requestId] = useState(newId)
  const { source, provider, providerId, companyName, freeValue } = payment
  const hint = source === 'credit' ? 'credit' : providerId ? 'provider' : 'manual'
  return (
    <Dialog title={t('refundNamed', { value: brl(freeValue) })} onClose={onClose}>
      <RowForm
        schema={CancelInput}
        initialValues={{ reason: '' }}
        confirm={t('refund')}
        done={t('refunded')}
        save={({ reason }) => refundPayment(payment.id, { reason, requestId })}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">
              {companyName}. {t(`refundHint${hint}`, { provider })}
            </Text>
            <TextInput
              data-autofocus
              required
              label={t('reason')}
              maxLength={200}
              {...form.getInputProps('reason')}
            />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
