import { Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { texts } from '../platform/text.ts'

const useText = texts({
  cancel: ['Cancelar', 'Cancel', 'Cancelar'],
  close: ['Fechar', 'Close', 'Cerrar'],
})

interface Props {
  title: string
  onClose(): void
  size?: 480 | 620 | 720
  children: ReactNode
}

/** A dialog: Escape closes it, focus goes back to where it came from; on a phone it fills the screen. */
export function Dialog({ title, onClose, size = 480, children }: Props) {
  const t = useText()
  const phone = useMediaQuery('(max-width: 600px)')
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  )
}

/** Buttons of a dialog, the solid one last. */
export function DialogActions({ onClose, children }: { onClose(): void; children: ReactNode }) {
  const t = useText()
  return (
    <Group justify="flex-end" gap={8} mt={20}>
      <Button variant="subtle" onClick={onClose}>
        {t('cancel')}
      </Button>
      {children}
    </Group>
  )
}

/** Asks before something that cannot be undone; the title names the object. */
export function Confirm({
  title,
  confirm,
  danger,
  busy,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  confirm: string
  danger?: boolean
  busy?: boolean
  onConfirm(): void
  onClose(): void
  children?: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <DialogActions onClose={onClose}>
        <Button data-danger={danger || undefined} loading={busy ?? false} onClick={onConfirm} data-autofocus>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
