import { Button } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useIsPhone } from '../../ui/phone-width.ts'

interface Props {
  label: string
  icon: ReactNode
  busy?: boolean
  disabled?: boolean
  onClick?(): void
  ref?: Ref<HTMLButtonElement>
  'aria-expanded'?: boolean
  'aria-haspopup'?: 'menu' | 'dialog'
}

/** A button beside the title of a report; on a phone only its icon, so that the title and all of them are one line. */
export function ReportAction({ label, icon, busy = false, disabled = false, ...rest }: Props) {
  if (useIsPhone())
    return (
      <IconButton label={label} disabled={disabled || busy} {...rest}>
        {icon}
      </IconButton>
    )
  return (
    <Button variant="default" leftSection={icon} loading={busy} disabled={disabled} {...rest}>
      {label}
    </Button>
  )
}
