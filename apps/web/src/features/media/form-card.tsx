import type { FormData } from '@balcao/contract/kinds.ts'
import classes from './cards.module.css'
import { useCardText } from './media.cards.text.ts'

/** The answers of a form that was filled in. */
export function FormCard({ fields }: { fields: FormData['fields'] }) {
  const t = useCardText()
  return (
    <div className={classes.card}>
      <strong>{t('form')}</strong>
      <dl className={classes.fields}>
        {fields.map(({ label, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have one name, and none moves
          <div key={at}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
