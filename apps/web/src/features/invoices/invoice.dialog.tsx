import { daysFrom, monthsFrom } from '@balcao/contract/invoices.rules.ts'
import { INVOICE_MONTHS, InvoiceInput } from '@balcao/contract/invoices.ts'
import { BillingType } from '@balcao/contract/plans.ts'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { addInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'

type Values = Record<
  | 'startInvoicePeriod'
  | 'endInvoicePeriod'
  | 'dueDate'
  | 'valueBrl'
  | 'billingType'
  | 'recurrence'
  | 'paymentLink',
  string
>

/** Defaults: a month from today, due in ten days. */
function begin(): Values {
  const today = clock().format('YYYY-MM-DD')
  return {
    startInvoicePeriod: today,
    endInvoicePeriod: daysFrom(monthsFrom(today, 1, Number(today.slice(8))), -1),
    dueDate: daysFrom(today, 10),
    ...{ valueBrl: '', billingType: 'PIX', recurrence: '1', paymentLink: '' },
  }
}

/** An invoice added manually (OP-125). */
export function InvoiceDialog({ planId, onClose }: { planId: number; onClose(): void }) {
  const t = useInvoiceText()
  const [requestId] = useState(newId)
  return (
    <Dialog title={t('add')} size={620} onClose={onClose}>
      <RowForm<Values>
        schema={InvoiceInput}
        initialValues={begin()}
        isNew
        done={t('made')}
        save={values => addInvoice(planId, { ...InvoiceInput.parse(values), requestId })}
        onClose={onClose}
      >
        {form => (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
            <TextInput
              data-autofocus
              label={t('value')}
              placeholder="1.234,50"
              inputMode="decimal"
              leftSection="R$"
              {...form.getInputProps('valueBrl')}
            />
            <TextInput type="date" label={t('due')} {...form.getInputProps('dueDate')} />
            <TextInput type="date" label={t('from')} {...form.getInputProps('startInvoicePeriod')} />
            <TextInput type="date" label={t('until')} {...form.getInputProps('endInvoicePeriod')} />
            <NativeSelect
              label={t('billingType')}
              data={BillingType.options.map(value => ({ value, label: t(value) }))}
              {...form.getInputProps('billingType')}
            />
            <NativeSelect
              label={t('recurrence')}
              data={INVOICE_MONTHS.map(count => ({ value: String(count), label: t('months', { count }) }))}
              {...form.getInputProps('recurrence')}
            />
            <TextInput
              type="url"
              label={t('paymentLink')}
              placeholder="https://"
              {...form.getInputProps('paymentLink')}
            />
          </SimpleGrid>
        )}
      </RowForm>
    </Dialog>
  )
}
