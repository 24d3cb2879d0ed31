import type { ReactNode, Ref } from 'react'
import { keysText } from '../platform/shortcuts.ts'
import classes from './icon-button.module.css'

interface Props {
  /** The accessible name, shown as a hint that ends in the shortcut. */
  label: string
  shortcut?: string | undefined
  /** Pressed, of a toggle; others are only tinted. */
  on?: boolean
  tinted?: boolean
  small?: boolean
  frame?: boolean
  solid?: boolean
  disabled?: boolean
  onClick?: (() => void) | undefined
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
  type?: 'button' | 'submit'
  'aria-expanded'?: boolean
  'aria-haspopup'?: 'menu' | 'dialog'
}

export function IconButton({
  label,
  shortcut,
  on,
  tinted,
  small,
  frame,
  solid,
  children,
  type = 'button',
  ref,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      ref={ref}
      type={type}
      aria-label={label}
      aria-pressed={on}
      className={classes.button}
      data-hint={shortcut ? `${label} (${keysText(shortcut)})` : label}
      data-small={small || undefined}
      data-frame={frame || undefined}
      data-solid={solid || undefined}
      data-on={on || tinted || undefined}
    >
      {children}
    </button>
  )
}
