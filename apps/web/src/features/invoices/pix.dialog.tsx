import type { Invoice } from '@balcao/contract/invoices.ts'
import { Stack, Text } from '@mantine/core'
import QRCode from 'react-qr-code'
import { CopiedField } from '../../ui/copied-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './invoices.module.css'
import { useInvoiceText } from './invoices.text.ts'

/** The PIX code of an invoice, to be scanned or copied. */
export function PixDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const t = useInvoiceText()
  return (
    <Dialog title={`${t('payByPix')}: ${invoice.valueBrl}`} onClose={onClose}>
      <Stack gap={16} align="center">
        <div className={classes.code}>
          <QRCode value={invoice.pixCode} size={232} role="img" aria-label={t('pixCode')} />
        </div>
        <Text size="sm">{t('pixHint')}</Text>
      </Stack>
      <CopiedField label={t('pixCode')} value={invoice.pixCode} />
    </Dialog>
  )
}
