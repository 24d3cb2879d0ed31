import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Invoice } from '@balcao/contract/invoices.ts'
import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconExternalLink,
  IconFileCheck,
  IconFileInvoice,
  IconQrcode,
  IconReceipt2,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock, shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { invoiceList, payInvoice, removeInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'
import { PaymentDialog } from './payment.dialog.tsx'
import { PixDialog } from './pix.dialog.tsx'

type Opened = { what: 'pix' | 'confirm' | 'remove'; invoice: Invoice } | null

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
        columns={columnsOf(t, isMaster, open)}
        rows={list.rows}
        keyOf={one => one.id}
        paging={list}
        mark={one => ({ 'data-invoice': String(one.id) })}
        empty={<Empty icon={<IconFileInvoice size={26} />} title={t('none')} />}
      />
      {opened?.what === 'pix' && <PixDialog invoice={opened.invoice} onClose={close} />}
      {opened?.what === 'confirm' && <PaymentDialog invoice={opened.invoice} onClose={close} />}
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

/** Calendar days are independent of the viewer's time zone. */
const shown = (day: string) => shownTime(day).format('L')
const periodOf = ({ startInvoicePeriod, endInvoicePeriod }: Invoice) =>
  `${shown(startInvoicePeriod)} – ${shown(endInvoicePeriod)}`

const columnsOf = (
  t: ReturnType<typeof useInvoiceText>,
  isMaster: boolean,
  open: (opened: Opened) => void,
): Column<Invoice>[] => [
  { key: 'period', head: t('period'), cell: periodOf },
  { key: 'status', head: t('status'), cell: one => <State invoice={one} /> },
  { key: 'value', head: t('value'), kind: 'number', cell: one => one.valueBrl },
  { key: 'due', head: t('due'), cell: one => shown(one.dueDate) },
  { key: 'type', head: t('billingType'), cell: one => t(one.billingType) },
  { key: 'recurrence', head: t('recurrence'), cell: one => t('months', { count: one.recurrence }) },
  { key: 'created', head: t('created'), cell: one => clock(one.createdAt).format('L') },
  { key: 'paid', head: t('paid'), cell: one => one.payDate && shown(one.payDate) },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => <Actions invoice={one} isMaster={isMaster} open={open} />,
  },
]

function State({ invoice }: { invoice: Invoice }) {
  const t = useInvoiceText()
  const Icon = isPaid(invoice) ? IconCircleCheck : IconAlertTriangle
  const tone = isPaid(invoice) ? 'success' : invoice.status === 'OVERDUE' ? 'error' : 'warning'
  return (
    <>
      <Status tone={tone} icon={<Icon size={13} aria-hidden />}>
        {t(invoice.status)}
      </Status>
      {invoice.paymentProblem && <small> {invoice.paymentProblem}</small>}
    </>
  )
}

interface ActionsProps {
  invoice: Invoice
  isMaster: boolean
  open(opened: Opened): void
}

/** Payer: the link of a pending invoice, or its PIX code. Recipient: payment recorded, reverted, deleted. */
function Actions({ invoice, isMaster, open }: ActionsProps) {
  const t = useInvoiceText()
  const period = periodOf(invoice)
  const { status, paymentLink, pixCode, transactionReceiptUrl } = invoice
  const revert = () =>
    payInvoice(invoice.id, { payDate: null }).then(() => notify.done(t('takenBack')), notify.failed)
  return (
    <>
      {status === 'PENDING' && paymentLink && (
        <Button
          component="a"
          href={paymentLink}
          target="_blank"
          rel="noopener noreferrer"
          size="xs"
          aria-label={t('payNamed', { period })}
        >
          {t('pay')}
        </Button>
      )}
      {status === 'OVERDUE' && paymentLink && (
        <IconButton
          label={t('payNamed', { period })}
          onClick={() => window.open(paymentLink, '_blank', 'noopener')}
        >
          <IconExternalLink size={18} stroke={1.75} />
        </IconButton>
      )}
      {pixCode && !(status === 'PENDING' && paymentLink) && (
        <IconButton label={t('pixNamed', { period })} onClick={() => open({ what: 'pix', invoice })}>
          <IconQrcode size={18} stroke={1.75} />
        </IconButton>
      )}
      {transactionReceiptUrl && (
        <IconButton
          label={t('openReceipt')}
          onClick={() => window.open(transactionReceiptUrl, '_blank', 'noopener')}
        >
          <IconFileCheck size={18} stroke={1.75} />
        </IconButton>
      )}
      {isMaster && !isPaid(invoice) && (
        <IconButton label={t('confirmNamed', { period })} onClick={() => open({ what: 'confirm', invoice })}>
          <IconReceipt2 size={18} stroke={1.75} />
        </IconButton>
      )}
      {isMaster && isPaid(invoice) && (
        <IconButton label={t('takeBackNamed', { period })} onClick={() => void revert()}>
          <IconArrowBackUp size={18} stroke={1.75} />
        </IconButton>
      )}
      {isMaster && status === 'PENDING' && (
        <IconButton label={t('removeNamed', { period })} onClick={() => open({ what: 'remove', invoice })}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}
