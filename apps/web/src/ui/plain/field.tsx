import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './plain.module.css'

export interface FieldProps extends ComponentProps<'input'> {
  label: string
  /** Above what is written: how to write it. */
  description?: ReactNode
  /** What is wrong with it. */
  error?: ReactNode
  /** Shown below it. */
  note?: ReactNode
  /** A button inside the field. */
  button?: ReactNode
}

/** A text field without a library: also used on the pages outside (decision 033). */
export function PlainField({ label, description, error, note, button, className, ...input }: FieldProps) {
  const id = useId()
  const notes = { description, error, note }
  const describedBy = Object.entries(notes).flatMap(([what, words]) => (words ? [`${id}-${what}`] : []))
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
          aria-describedby={describedBy.join(' ') || undefined}
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
