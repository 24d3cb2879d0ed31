import { Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { store, useStore } from '../platform/store.ts'
import { texts } from '../platform/text.ts'
import classes from './dialog.module.css'

const useText = texts({
  cancel: ['Cancelar', 'Cancel', 'Cancelar'],
  close: ['Fechar', 'Close', 'Cerrar'],
})

interface Props {
  title: string
  onClose(): void
  /** `full` covers the window. */
  size?: 480 | 620 | 720 | 'full'
  /** Stands in the head in place of the cross; one of them closes. */
  actions?: ReactNode
  children: ReactNode
}

/** A dialog: Escape closes it, focus goes back to where it came from; on a phone it fills the screen. */
export function Dialog({ title, onClose, size = 480, actions, children }: Props) {
  const t = useText()
  const phone = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false })
  const isOnTop = useOnTop()
  useFocusReturned()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={isOnTop}
      size={size}
      fullScreen={phone || size === 'full'}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={classes.head}>
          <Modal.Title>{title}</Modal.Title>
          {actions ? (
            <div className={classes.actions}>{actions}</div>
          ) : (
            <Modal.CloseButton aria-label={t('close')} />
          )}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The dialogs that stand, the last one on top. */
const standing = store<readonly object[]>([])

/** Of dialogs that stand above each other, Escape closes the one on top. */
function useOnTop(): boolean {
  const [me] = useState(() => ({}))
  useEffect(() => {
    standing.write([...standing.read(), me])
    return () => standing.write(standing.read().filter(one => one !== me))
  }, [me])
  return useStore(standing, all => all.at(-1) === me)
}

/** A dialog stands only while it is open, so it remembers by itself who had the focus when it came. */
function useFocusReturned() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}

/** Buttons of a dialog, the solid one last. `careful`: who presses Enter at once changes nothing. */
export function DialogActions({
  onClose,
  careful,
  children,
}: {
  onClose(): void
  careful?: boolean | undefined
  children: ReactNode
}) {
  const t = useText()
  return (
    // Pressing a button does not leave the field: what leaving it has to say would move the button away from the hand.
    <Group justify="flex-end" gap={8} mt={20} onMouseDown={event => event.preventDefault()}>
      <Button variant="subtle" onClick={onClose} data-autofocus={careful || undefined}>
        {t('cancel')}
      </Button>
      {children}
    </Group>
  )
}

/** Asks before something that cannot be undone; the title names the object, danger is red and never focused first. */
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
      <DialogActions onClose={onClose} careful={danger}>
        <Button
          data-danger={danger || undefined}
          data-autofocus={!danger || undefined}
          loading={busy ?? false}
          onClick={onConfirm}
        >
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
