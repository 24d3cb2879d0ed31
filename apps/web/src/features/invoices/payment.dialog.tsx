import { type Invoice, PaymentInput } from '@balcao/contract/invoices.ts'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { payInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'

/** A payment found by the operator: its date, and the link of its receipt. */
export function PaymentDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const t = useInvoiceText()
  const initialValues = {
    payDate: clock().format('YYYY-MM-DD'),
    status: 'RECEIVED',
    transactionReceiptUrl: '',
  }
  return (
    <Dialog title={t('confirmPayment')} onClose={onClose}>
      <RowForm<typeof initialValues>
        schema={PaymentInput}
        initialValues={initialValues}
        done={t('confirmed')}
        save={values => payInvoice(invoice.id, PaymentInput.parse(values))}
        onClose={onClose}
      >
        {form => (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
            <TextInput data-autofocus type="date" label={t('payDate')} {...form.getInputProps('payDate')} />
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
        )}
      </RowForm>
    </Dialog>
  )
}
