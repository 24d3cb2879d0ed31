import { Tooltip } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import classes from './icon-button.module.css'

interface Props {
  /** The accessible name, shown as a tooltip that ends in the shortcut. */
  label: string
  shortcut?: string | undefined
  on?: boolean
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
  small,
  frame,
  solid,
  children,
  type = 'button',
  ref,
  ...rest
}: Props) {
  return (
    <Tooltip label={shortcut ? `${label} (${shortcut})` : label}>
      <button
        {...rest}
        ref={ref}
        type={type}
        aria-label={label}
        aria-pressed={on}
        className={classes.button}
        data-small={small || undefined}
        data-frame={frame || undefined}
        data-solid={solid || undefined}
        data-on={on || undefined}
      >
        {children}
      </button>
    </Tooltip>
  )
}
