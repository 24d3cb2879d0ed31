import { type ReactNode, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../dialog.tsx'
import { useListText } from './list-screen.text.ts'

interface Props {
  /** The question; it names the row. */
  title: string
  remove(): Promise<unknown>
  onClose(): void
  /** What goes with the row, or stays. */
  children?: ReactNode
  /** Said when it is done, where the documents have words of their own. */
  done?: string
}

/** Asks before a row is deleted, deletes it and says so. */
export function RemoveDialog({ title, remove, onClose, children, done }: Props) {
  const t = useListText()
  const [busy, setBusy] = useState(false)
  const confirmed = async () => {
    setBusy(true)
    await remove().then(() => notify.done(done ?? t('removed')), notify.failed)
    onClose()
  }
  return (
    <Confirm
      title={title}
      confirm={t('remove')}
      danger
      busy={busy}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      {children}
    </Confirm>
  )
}
