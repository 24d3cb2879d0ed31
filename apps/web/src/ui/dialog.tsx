import { Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { store, useStore } from '../platform/store.ts'
import { texts } from '../platform/text.ts'
import classes from './dialog.module.css'
import { useGoTo } from './go-to.ts'
import { NoticePlace } from './notice-place.tsx'
import { Unsaved, type Way, watchWays } from './unsaved.ts'

const useText = texts({
  cancel: ['Cancelar', 'Cancel', 'Cancelar'],
  close: ['Fechar', 'Close', 'Cerrar'],
  unsaved: ['Não salvo', 'Not saved', 'Sin guardar'],
  leaveTitle: ['Sair sem salvar?', 'Leave without saving?', '¿Salir sin guardar?'],
  leaveHint: [
    'O que você mudou aqui ainda não foi salvo.',
    'What you changed here has not been saved yet.',
    'Lo que cambió aquí aún no se guardó.',
  ],
  leave: ['Sair sem salvar', 'Leave without saving', 'Salir sin guardar'],
})

interface Props {
  title: string
  onClose(): void
  /** `full` covers the window. */
  size?: 480 | 620 | 720 | 'full'
  /** Replaces the cross in the header; one of them closes. */
  actions?: ReactNode
  /** Something in it is not saved; a form inside says so by `useUnsaved`. */
  isUnsaved?: boolean
  children: ReactNode
}

/**
 * A dialog: Escape closes it, the previous focus is restored; on a phone it fills the screen. It asks before anything but its
 * own buttons takes away what is not saved.
 */
export function Dialog({ title, onClose, size = 480, actions, isUnsaved: isOwn = false, children }: Props) {
  const t = useText()
  const phone = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false })
  const isOnTop = useOnTop()
  useFocusReturned()
  const [inside, setInside] = useState(0)
  const [count] = useState(() => (more: number) => setInside(before => before + more))
  const [isAsking, setAsking] = useState(false)
  const isUnsaved = isOwn || inside > 0
  const close = () => (isUnsaved ? setAsking(true) : onClose())
  useEscape(isOnTop, close)
  return (
    <Modal.Root
      opened
      onClose={close}
      closeOnEscape={false}
      size={size}
      fullScreen={phone || size === 'full'}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={classes.head}>
          <Modal.Title>{title}</Modal.Title>
          {isUnsaved && <UnsavedMark />}
          {actions ? (
            <div className={classes.actions}>{actions}</div>
          ) : (
            <Modal.CloseButton aria-label={t('close')} />
          )}
        </div>
        <Modal.Body>
          <Unsaved value={count}>{children}</Unsaved>
        </Modal.Body>
        <NoticePlace of="dialog" className={classes.notices} />
      </Modal.Content>
      {isUnsaved && <LeavingAsks />}
      {isAsking && <LeaveQuestion onLeave={onClose} onStay={() => setAsking(false)} />}
    </Modal.Root>
  )
}

/** Of a form that is no dialog, beside its button: says that something is not saved, and asks before it is left. */
export const UnsavedAsks = ({ isUnsaved }: { isUnsaved: boolean }) =>
  isUnsaved && (
    <>
      <UnsavedMark />
      <LeavingAsks />
    </>
  )

function UnsavedMark() {
  const t = useText()
  return <span className={classes.unsaved}>{t('unsaved')}</span>
}

/** While it is mounted, links and the history of the browser require a confirmation, and so does closing the tab. */
function LeavingAsks() {
  const goTo = useGoTo()
  const [way, setWay] = useState<Way | null>(null)
  useEffect(() => watchWays(setWay), [])
  if (!way) return null
  const leave = () => {
    setWay(null)
    return 'to' in way ? goTo(way.to, { isSaved: true }) : way.follow()
  }
  return <LeaveQuestion onLeave={leave} onStay={() => setWay(null)} />
}

function LeaveQuestion({ onLeave, onStay }: { onLeave(): void; onStay(): void }) {
  const t = useText()
  return (
    <Confirm title={t('leaveTitle')} confirm={t('leave')} danger onConfirm={onLeave} onClose={onStay}>
      {t('leaveHint')}
    </Confirm>
  )
}

/** The open dialogs, the top one last. */
const openDialogs = store<readonly object[]>([])

/** Of stacked dialogs, Escape closes the top one. */
function useOnTop(): boolean {
  const [me] = useState(() => ({}))
  useEffect(() => {
    openDialogs.write([...openDialogs.read(), me])
    return () => openDialogs.write(openDialogs.read().filter(one => one !== me))
  }, [me])
  return useStore(openDialogs, all => all.at(-1) === me)
}

/** Escape in a menu or a picker of the dialog, or in a list that opens below its field, closes only that. */
function useEscape(isOnTop: boolean, close: () => void) {
  const onEscape = useEffectEvent(close)
  useEffect(() => {
    if (!isOnTop) return
    const press = ({ key, isComposing, target }: KeyboardEvent) => {
      if (key !== 'Escape' || isComposing) return
      const isOfMenu =
        target instanceof Element &&
        target.closest('[data-position][class*=-dropdown], [data-mantine-stop-propagation=true]')
      if (!isOfMenu) onEscape()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [isOnTop])
}

/** A dialog is mounted only while open, so it remembers which element had the focus before. */
function useFocusReturned() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}

/** Buttons of a dialog, the primary one last. `careful`: pressing Enter at once changes nothing. */
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
    // Pressing a button does not blur the field: its error would move the button away from the pointer.
    <Group justify="flex-end" gap={8} mt={20} onMouseDown={event => event.preventDefault()}>
      <Button variant="subtle" onClick={onClose} data-autofocus={careful || undefined}>
        {t('cancel')}
      </Button>
      {children}
    </Group>
  )
}

/**
 * Confirms something that cannot be undone; the title names the object, danger is red and never focused
 * first.
 */
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
