import { type ReactNode, useId } from 'react'
import { FieldGroup } from '../../ui/fieldset.tsx'
import classes from './billing.module.css'

interface Props<V extends string | number> {
  legend: string
  chosen: V | null
  options: { value: V; title: string; children: ReactNode }[]
  onChoose(value: V): void
}

/** One of some cards; arrow keys move as in any radio group. */
export function CardChoices<V extends string | number>({ legend, chosen, options, onChoose }: Props<V>) {
  const name = useId()
  return (
    <FieldGroup legend={legend}>
      <div className={classes.choices}>
        {options.map(({ value, title, children }) => (
          <label key={value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              aria-label={title}
              checked={value === chosen}
              onChange={() => onChoose(value)}
            />
            <strong>{title}</strong>
            {children}
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}
