import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { OneRow } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../dialog.tsx'
import { Late } from '../late.tsx'
import { useListText } from './list-screen.text.ts'

export interface RowDialogProps {
  /** Null for a row that is to be added. */
  id: number | null
  onClose(): void
}

interface Props<Row> extends RowDialogProps {
  title: string
  size?: 480 | 620 | 720 | 'full'
  /** Fetches one row; what is not there any more closes the dialog and says so. */
  row: OneRow<Row>
  /** The row is about to go: that it is not found any more is no news. */
  leaving?: boolean
  children(row: Row | null): ReactNode
}

/** Adds a row, or changes the one that the address names, as it is now. */
export function RowDialog<Row>({ id, onClose, title, size = 480, row, leaving, children }: Props<Row>) {
  const t = useListText()
  const isNew = id === null
  const { data, error } = useQuery({ ...row(id ?? 0), enabled: !isNew && !leaving })
  useEffect(() => {
    if (!error) return
    notify.failed(error)
    onClose()
  }, [error, onClose])
  if (error) return null
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      {isNew || data ? (
        children(data ?? null)
      ) : (
        <Late>
          <p role="status">{t('loading')}</p>
        </Late>
      )}
    </Dialog>
  )
}
