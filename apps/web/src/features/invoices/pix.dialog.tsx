import type { Invoice } from '@balcao/contract/invoices.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useInvoiceText } from './invoices.text.ts'
import { PixCode } from './pix-code.tsx'

/** The PIX code of an invoice, to be scanned or copied. */
export function PixDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const t = useInvoiceText()
  return (
    <Dialog title={`${t('payByPix')}: ${invoice.valueBrl}`} onClose={onClose}>
      <PixCode code={invoice.pixCode} />
    </Dialog>
  )
}
