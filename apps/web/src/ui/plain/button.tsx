import type { ComponentProps, ReactNode } from 'react'
import classes from './plain.module.css'

interface ButtonProps extends ComponentProps<'button'> {
  /** Beside another that matters more. */
  quiet?: boolean
  large?: boolean
  /** Before its words. */
  icon?: ReactNode
  /** What was pressed is under way. */
  busy?: boolean
}

/** A button of no library: it also stands on the pages outside (decision 033). */
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

/** What leads on, as a button looks. */
export const ButtonLink = ({ href, children }: { href: string; children: string }) => (
  <a className={classes.button} href={href}>
    {children}
  </a>
)
