import type { ReactNode } from 'react'
import classes from './fieldset.module.css'

interface Props {
  legend: string
  children: ReactNode
}

/** Fields of a dialog that belong together. */
export const FieldGroup = ({ legend, children }: Props) => (
  <fieldset className={classes.group}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
)

/** The same in a full-screen dialog; its fields keep their own distance unless it is `spaced`. */
export const FieldSection = ({ legend, spaced, children }: Partial<Props> & { spaced?: boolean }) => (
  <fieldset className={classes.section} data-spaced={spaced || undefined}>
    {legend && <legend>{legend}</legend>}
    {children}
  </fieldset>
)
