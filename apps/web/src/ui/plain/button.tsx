import type { ComponentProps, ReactNode } from 'react'
import classes from './plain.module.css'

interface ButtonProps extends ComponentProps<'button'> {
  /** Secondary button. */
  quiet?: boolean
  large?: boolean
  /** Before the label. */
  icon?: ReactNode
  /** What was pressed is under way. */
  busy?: boolean
}

/** A button without a library: also used on the pages outside (decision 033). */
export const PlainButton = ({
  quiet,
  large,
  busy,
  icon,
  disabled,
  type = 'button',
  children,
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={classes.button}
    disabled={disabled || busy}
    aria-busy={busy || undefined}
    data-quiet={quiet || undefined}
    data-large={large || undefined}
  >
    {busy && <span className={classes.busy} aria-hidden />}
    <span className={classes.words} data-hidden={busy || undefined}>
      {icon}
      {children}
    </span>
  </button>
)

/** A link with the looks of a button. */
export const ButtonLink = ({ href, children }: { href: string; children: string }) => (
  <a className={classes.button} href={href}>
    {children}
  </a>
)
