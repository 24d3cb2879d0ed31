import { type ReactNode, useId } from 'react'
import classes from './segmented.module.css'

interface Props<V extends string> {
  /** What is chosen among, for screen readers. */
  label: string
  value: V
  options: { value: V; label: ReactNode; hint?: string }[]
  onChange(value: V): void
}

/** One of a few options, side by side; arrow keys move as in any radio group. */
export function Segmented<V extends string>({ label, value, options, onChange }: Props<V>) {
  const name = useId()
  return (
    <div className={classes.track} role="radiogroup" aria-label={label}>
      {options.map(option => (
        <label key={option.value} className={classes.option} title={option.hint}>
          <input
            type="radio"
            className="sr-only"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
