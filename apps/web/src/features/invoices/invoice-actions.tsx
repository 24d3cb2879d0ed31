import type { Invoice } from '@balcao/contract/invoices.ts'
import { Button } from '@mantine/core'
import {
  IconArrowBackUp,
  IconBan,
  IconExternalLink,
  IconFileCheck,
  IconFileInvoice,
  IconQrcode,
  IconReceipt2,
  IconReceiptRefund,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { notify } from '../../platform/notify.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { isOpen } from './invoice-state.tsx'
import { chargeAgain, payInvoice } from './invoices.api.ts'
import { useInvoiceText } from './invoices.text.ts'
import { periodOf } from './period.ts'

export type OpenDialog = (what: 'pix' | 'pay' | 'cancel' | 'refund' | 'remove') => void

interface Props {
  invoice: Invoice
  isMaster: boolean
  open: OpenDialog
}

/** Payer: the link of an open invoice, or its PIX code. Recipient: payment recorded, reverted, invoice cancelled, deleted. */
export function InvoiceActions({ invoice, isMaster, open }: Props) {
  return (
    <>
      {isOpen(invoice) && <Payable invoice={invoice} onPix={() => open('pix')} />}
      <Receipt invoice={invoice} />
      <FiscalNote invoice={invoice} />
      {isMaster && <OfMaster invoice={invoice} open={open} />}
    </>
  )
}

function Payable({ invoice, onPix }: { invoice: Invoice; onPix(): void }) {
  const t = useInvoiceText()
  const { id, status, paymentLink, pixCode, paymentProblem } = invoice
  const period = periodOf(invoice)
  const again = () => chargeAgain(id).then(() => notify.done(t('asked')), notify.failed)
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
        <IconButton label={t('pixNamed', { period })} onClick={onPix}>
          <IconQrcode size={18} stroke={1.75} />
        </IconButton>
      )}
      {paymentProblem && (
        <IconButton label={t('askNamed', { period })} onClick={() => void again()}>
          <IconRefresh size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}

function FiscalNote({ invoice: { fiscalNoteUrl } }: { invoice: Invoice }) {
  const t = useInvoiceText()
  return (
    fiscalNoteUrl && (
      <IconButton label={t('openNote')} onClick={() => window.open(fiscalNoteUrl, '_blank', 'noopener')}>
        <IconFileInvoice size={18} stroke={1.75} />
      </IconButton>
    )
  )
}

function Receipt({ invoice: { transactionReceiptUrl } }: { invoice: Invoice }) {
  const t = useInvoiceText()
  return (
    transactionReceiptUrl && (
      <IconButton
        label={t('openReceipt')}
        onClick={() => window.open(transactionReceiptUrl, '_blank', 'noopener')}
      >
        <IconFileCheck size={18} stroke={1.75} />
      </IconButton>
    )
  )
}

function OfMaster({ invoice, open }: { invoice: Invoice; open: OpenDialog }) {
  const t = useInvoiceText()
  const { id, state, status } = invoice
  const period = periodOf(invoice)
  if (state === 'cancelled' || state === 'refunded') return null
  const revert = () =>
    payInvoice(id, { payDate: null }).then(() => notify.done(t('takenBack')), notify.failed)
  return (
    <>
      {state !== 'paid' && (
        <IconButton label={t('recordNamed', { period })} onClick={() => open('pay')}>
          <IconReceipt2 size={18} stroke={1.75} />
        </IconButton>
      )}
      {state !== 'open' && (
        <IconButton label={t('takeBackNamed', { period })} onClick={() => void revert()}>
          <IconArrowBackUp size={18} stroke={1.75} />
        </IconButton>
      )}
      {invoice.paidValue > 0 && (
        <IconButton label={t('refundNamed', { period })} onClick={() => open('refund')}>
          <IconReceiptRefund size={18} stroke={1.75} />
        </IconButton>
      )}
      <IconButton label={t('cancelNamed', { period })} onClick={() => open('cancel')}>
        <IconBan size={18} stroke={1.75} />
      </IconButton>
      {state === 'open' && status === 'PENDING' && (
        <IconButton label={t('removeNamed', { period })} onClick={() => open('remove')}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}
