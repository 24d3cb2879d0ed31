import { type Invoice, PaymentInput } from '@balcao/contract/invoices.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { payInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'

/** A payment found by the operator: what was paid of the rest, its date, and the link of its receipt. */
export function PaymentDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const t = useInvoiceText()
  const rest = brl(invoice.value - invoice.paidValue + invoice.lateToday)
  const initialValues = {
    valueBrl: rest.replace(/^R\$\s*/, ''),
    payDate: clock().format('YYYY-MM-DD'),
    status: 'RECEIVED',
    transactionReceiptUrl: '',
  }
  return (
    <Dialog title={t('recordPayment')} onClose={onClose}>
      <RowForm<typeof initialValues>
        schema={PaymentInput}
        initialValues={initialValues}
        done={t('recorded')}
        save={values =>
          payInvoice(invoice.id, { ...PaymentInput.parse(values), paidValue: invoice.paidValue })
        }
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('recordHint', { rest })}</Text>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
              <TextInput
                data-autofocus
                label={t('paidAmount')}
                inputMode="decimal"
                leftSection="R$"
                {...form.getInputProps('valueBrl')}
              />
              <TextInput type="date" label={t('payDate')} {...form.getInputProps('payDate')} />
              <NativeSelect
                label={t('status')}
                data={(['RECEIVED', 'CONFIRMED'] as const).map(value => ({ value, label: t(value) }))}
                {...form.getInputProps('status')}
              />
              <TextInput
                type="url"
                label={t('receiptUrl')}
                placeholder="https://"
                {...form.getInputProps('transactionReceiptUrl')}
              />
            </SimpleGrid>
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
