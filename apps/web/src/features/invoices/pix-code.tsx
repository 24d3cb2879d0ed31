import QRCode from 'react-qr-code'
import { CopiedField } from '../../ui/copied-field.tsx'
import classes from './invoices.module.css'
import { useInvoiceText } from './invoices.text.ts'

/** A PIX code to be scanned, and to be copied. */
export function PixCode({ code }: { code: string }) {
  const t = useInvoiceText()
  return (
    <>
      <div className={classes.scan}>
        <div className={classes.code}>
          <QRCode value={code} size={232} role="img" aria-label={t('pixCode')} />
        </div>
        <p>{t('pixHint')}</p>
      </div>
      <CopiedField label={t('pixCode')} value={code} />
    </>
  )
}
