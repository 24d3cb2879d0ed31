import type { Invoice } from '@balcao/contract/invoices.ts'
import { IconFileInvoice } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { clock, shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { CancelDialog } from './cancel.dialog.tsx'
import { InvoiceActions, type OpenDialog } from './invoice-actions.tsx'
import { InvoiceStateBadge } from './invoice-state.tsx'
import { invoiceList, removeInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'
import { PaymentDialog } from './payment.dialog.tsx'
import { periodOf } from './period.ts'
import { PixDialog } from './pix.dialog.tsx'
import { RefundInvoiceDialog } from './refund-invoice.dialog.tsx'

type Opened = { what: Parameters<OpenDialog>[0]; invoice: Invoice } | null

/** The invoices of a plan, and what may be done with each. */
export function InvoiceTable({ planId, isMaster }: { planId: number; isMaster: boolean }) {
  const t = useInvoiceText()
  const list = useList(invoiceList(planId))
  const [opened, open] = useState<Opened>(null)
  const close = () => open(null)
  return (
    <>
      <Table
        label={t('invoices')}
        columns={columnsOf(t, isMaster, invoice => what => open({ what, invoice }))}
        rows={list.rows}
        keyOf={one => one.id}
        paging={list}
        mark={one => ({ 'data-invoice': String(one.id) })}
        empty={<Empty icon={<IconFileInvoice size={26} />} title={t('none')} />}
      />
      {opened?.what === 'pix' && <PixDialog invoice={opened.invoice} onClose={close} />}
      {opened?.what === 'pay' && <PaymentDialog invoice={opened.invoice} onClose={close} />}
      {opened?.what === 'cancel' && <CancelDialog invoice={opened.invoice} onClose={close} />}
      {opened?.what === 'refund' && <RefundInvoiceDialog invoice={opened.invoice} onClose={close} />}
      {opened?.what === 'remove' && (
        <RemoveDialog
          title={t('removeTitle', { period: periodOf(opened.invoice) })}
          remove={() => removeInvoice(opened.invoice.id)}
          onClose={close}
        />
      )}
    </>
  )
}

const shown = (day: string) => shownTime(day).format('L')

/** What is owed no more is struck; the state says why. */
const valid = ({ state }: Invoice, words: string): ReactNode =>
  state === 'cancelled' || state === 'refunded' ? <s>{words}</s> : words

const columnsOf = (
  t: ReturnType<typeof useInvoiceText>,
  isMaster: boolean,
  openFor: (invoice: Invoice) => OpenDialog,
): Column<Invoice>[] => [
  { key: 'period', head: t('period'), cell: one => valid(one, periodOf(one)) },
  { key: 'status', head: t('status'), cell: one => <InvoiceStateBadge invoice={one} /> },
  { key: 'value', head: t('value'), kind: 'number', cell: one => valid(one, one.valueBrl) },
  { key: 'due', head: t('due'), cell: one => shown(one.dueDate) },
  { key: 'type', head: t('billingType'), cell: one => t(one.billingType) },
  { key: 'recurrence', head: t('recurrence'), cell: one => t('months', { count: one.recurrence }) },
  { key: 'created', head: t('created'), cell: one => clock(one.createdAt).format('L') },
  { key: 'paid', head: t('paid'), cell: one => one.payDate && shown(one.payDate) },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => <InvoiceActions invoice={one} isMaster={isMaster} open={openFor(one)} />,
  },
]
