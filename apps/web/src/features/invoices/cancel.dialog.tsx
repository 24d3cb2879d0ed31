import { CancelInput, type Invoice } from '@balcao/contract/invoices.ts'
import { Text, TextInput } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { cancelInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'
import { periodOf } from './period.ts'

/** Cancels an invoice with a reason, which the company reads beside it. */
export function CancelDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const t = useInvoiceText()
  return (
    <Dialog title={t('cancelTitle', { period: periodOf(invoice) })} onClose={onClose}>
      <RowForm
        schema={CancelInput}
        initialValues={{ reason: '' }}
        confirm={t('cancel')}
        done={t('cancelDone')}
        save={values => cancelInvoice(invoice.id, values)}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t(invoice.paidValue > 0 ? 'cancelPaidHint' : 'cancelHint')}</Text>
            <TextInput
              data-autofocus
              required
              label={t('reason')}
              description={t('reasonHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={200}
              {...form.getInputProps('reason')}
            />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
