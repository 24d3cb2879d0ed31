import { orderIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { htmlLanguage, language } from '../../platform/text.ts'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'

/** What a customer ordered from the catalogue. */
export function OrderCard({ message }: { message: Message }) {
  const t = useMediaText()
  const items = orderIn(message) ?? []
  const total = totalOf(items)
  return (
    <div className={classes.order}>
      <strong>{t('order')}</strong>
      <ul>
        {items.map(({ product, quantity, price, currency }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no id and never moves
          <li key={at}>
            <span>{`${quantity} × ${product || t('product')}`}</span>
            {price !== null && <span>{amount(quantity * price, currency)}</span>}
          </li>
        ))}
      </ul>
      {total && <strong>{t('total', { amount: total })}</strong>}
    </div>
  )
}

type Items = NonNullable<ReturnType<typeof orderIn>>

/** Empty unless all items have a price in one currency. */
function totalOf(items: Items) {
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
