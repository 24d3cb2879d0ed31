import { ScannedCode } from '../../ui/pix-code.tsx'
import { useInvoiceText } from './invoices.text.ts'

/** The PIX code of an invoice. */
export function PixCode({ code }: { code: string }) {
  const t = useInvoiceText()
  return <ScannedCode code={code} label={t('pixCode')} hint={t('pixHint')} />
}
