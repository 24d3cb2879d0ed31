import type { PaymentData } from '@balcao/contract/kinds.ts'
import { htmlLanguage, language } from '../../platform/text.ts'
import { CopiedField } from '../../ui/copied-field.tsx'
import classes from './cards.module.css'
import { Formatted } from './formatted.tsx'
import { usePaymentCardText } from './media.payment.text.ts'

/** A payment: what it is, how much, and the Pix key with a button to copy it. */
export function PaymentCard({ payment }: { payment: PaymentData }) {
  const t = usePaymentCardText()
  const { what, amount, currency, pix, items, status, reference, note } = payment
  const known = STATUSES.find(one => one === status.toLowerCase())
  const type = KEY_TYPES.find(one => one === pix?.keyType.toUpperCase())
  return (
    <div className={classes.card}>
      <strong>{t(what === 'canceled' ? 'withdrawn' : what)}</strong>
      {note && <Formatted text={note} />}
      {items.length > 0 && (
        <ul>
          {items.map(({ name, quantity, price }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item has no id and never moves
            <li key={at} className={classes.choice}>
              <span>{`${quantity} × ${name}`}</span>
              {price !== null && <span>{money(quantity * price, currency)}</span>}
            </li>
          ))}
        </ul>
      )}
      {amount !== null && <strong>{t('total', { amount: money(amount, currency) })}</strong>}
      {pix && (
        <>
          {pix.name && <span>{pix.name}</span>}
          <CopiedField label={type ? t('keyOf', { kind: t(type) }) : t('key')} value={pix.key} />
        </>
      )}
      {status && <span>{known ? t(known) : status}</span>}
      {reference && <span>{t('reference', { reference })}</span>}
    </div>
  )
}

const KEY_TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const
const STATUSES = ['pending', 'processing', 'completed', 'captured', 'failed', 'canceled', 'shipped'] as const

const money = (value: number, currency: string) =>
  value.toLocaleString(htmlLanguage[language()], currency ? { style: 'currency', currency } : {})
