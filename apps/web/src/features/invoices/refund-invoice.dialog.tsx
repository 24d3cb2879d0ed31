import type { Invoice } from '@balcao/contract/invoices.ts'
import { InvoiceRefundInput } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { refundInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'
import { periodOf } from './period.ts'

/** Gives back what was paid of an invoice, or a part of it: as a gift, or so that it is owed again. */
export function RefundInvoiceDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const t = useInvoiceText()
  const [requestId] = useState(newId)
  const paid = brl(invoice.paidValue)
  const initialValues = { valueBrl: paid.replace(/^R\$\s*/, ''), reason: '', isGift: true }
  return (
    <Dialog title={t('refundTitle', { period: periodOf(invoice) })} onClose={onClose}>
      <RowForm<typeof initialValues>
        schema={InvoiceRefundInput}
        initialValues={initialValues}
        confirm={t('refund')}
        done={t('refundDone')}
        save={values => refundInvoice(invoice.id, { ...values, requestId })}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('refundHint', { paid })}</Text>
            <TextInput
              data-autofocus
              label={t('refundValue')}
              inputMode="decimal"
              leftSection="R$"
              {...form.getInputProps('valueBrl')}
            />
            <Radio.Group
              label={t('afterRefund')}
              value={form.getValues().isGift ? 'gift' : 'owed'}
              onChange={value => form.setFieldValue('isGift', value === 'gift')}
            >
              <Stack gap={8} mt={6}>
                <Radio value="gift" label={t('refundGift')} />
                <Radio value="owed" label={t('refundOwed')} />
              </Stack>
            </Radio.Group>
            <TextInput required label={t('reason')} maxLength={200} {...form.getInputProps('reason')} />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
