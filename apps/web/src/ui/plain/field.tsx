import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './plain.module.css'

export interface FieldProps extends ComponentProps<'input'> {
  label: string
  /** Above what is written: how to write it. */
  description?: ReactNode
  /** What is wrong with it. */
  error?: ReactNode
  /** Below it: what is known of it. */
  note?: ReactNode
  /** A button that stands in the field. */
  button?: ReactNode
}

/** A line to write in, of no library: it also stands on the pages outside (decision 033). */
export function PlainField({ label, description, error, note, button, className, ...input }: FieldProps) {
  const id = useId()
  const said = { description, error, note }
  const told = Object.entries(said).flatMap(([what, words]) => (words ? [`${id}-${what}`] : []))
  return (
    <div className={`${classes.field} ${className ?? ''}`}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {description && (
        <p className={classes.description} id={`${id}-description`}>
          {description}
        </p>
      )}
      <div className={classes.box}>
        <input
          {...input}
          id={id}
          className={`${classes.input} ${button ? classes.withButton : ''}`}
          aria-invalid={Boolean(error)}
          aria-describedby={told.join(' ') || undefined}
        />
        {button}
      </div>
      {error && (
        <p className={classes.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {note && (
        <p className={classes.description} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}
