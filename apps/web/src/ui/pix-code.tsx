import QRCode from 'react-qr-code'
import { CopiedField } from './copied-field.tsx'
import classes from './pix-code.module.css'

/** A code of PIX to be scanned, and to be copied; the hint says what follows. */
export function ScannedCode({ code, label, hint }: { code: string; label: string; hint?: string }) {
  return (
    <>
      <div className={classes.scan}>
        <div className={classes.code}>
          <QRCode value={code} size={232} role="img" aria-label={label} />
        </div>
        {hint && <p>{hint}</p>}
      </div>
      <CopiedField label={label} value={code} />
    </>
  )
}
