import type { OrderData } from '@balcao/contract/media.ts'
import { htmlLanguage, language } from '../../platform/text.ts'
import { Formatted } from './formatted.tsx'
import { useCardText } from './media.cards.text.ts'
import classes from './media.module.css'

/** What a customer ordered from the catalogue, and what was written with it. */
export function OrderCard({ order, note }: { order: OrderData; note: string }) {
  const t = useCardText()
  const { items, title, count } = order
  const total = totalOf(order)
  return (
    <>
      <div className={classes.order}>
        <strong>{title ? `${t('order')}: ${title}` : t('order')}</strong>
        {items.length === 0 && count !== null && <span>{t('items', { count })}</span>}
        <ul>
          {items.map(({ product, name, quantity, price, currency }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item has no id and never moves
            <li key={at}>
              <span>{`${quantity} × ${name || product || t('product')}`}</span>
              {price !== null && <span>{amount(quantity * price, currency)}</span>}
            </li>
          ))}
        </ul>
        {total && <strong>{t('total', { amount: total })}</strong>}
      </div>
      {note && <Formatted text={note} />}
    </>
  )
}

/** As the catalogue adds it up; else empty unless all items have a price in one currency. */
function totalOf({ items, total, currency }: OrderData) {
  if (total !== null) return amount(total, currency)
  const [first] = items
  const isSum = items.length > 1 && items.every(one => one.price !== null && one.currency === first?.currency)
  if (!isSum) return ''
  return amount(
    items.reduce((sum, { quantity, price }) => sum + quantity * (price ?? 0), 0),
    first?.currency ?? '',
  )
}

const amount = (value: number, currency: string) =>
  value.toLocaleString(htmlLanguage[language()], currency ? { style: 'currency', currency } : {})
