import { type ReactNode, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../dialog.tsx'
import { useListText } from './list-screen.text.ts'

interface Props {
  /** The question; it names the row. */
  title: string
  remove(): Promise<unknown>
  onClose(): void
  /** What is deleted with the row, or kept. */
  children?: ReactNode
  /** Notice of success, where the documents give one. */
  done?: string
}

/** Confirms the deletion of a row, deletes it and reports it. */
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
