import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import type { OneRow } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../dialog.tsx'
import { Late } from '../late.tsx'
import { Anew } from './anew.ts'
import { useListText } from './list-screen.text.ts'
import { NotHad } from './list-states.tsx'

export interface RowDialogProps {
  /** Null for a row that is to be added. */
  id: number | null
  onClose(): void
}

interface Props<Row> extends RowDialogProps {
  title: string
  size?: 480 | 620 | 720 | 'full'
  /** Fetches one row; one that is missing from the beginning closes the dialog with a notice, no other failure does. */
  row: OneRow<Row>
  /** The row is about to be deleted: that it is not found any more is expected. */
  leaving?: boolean
  children(row: Row | null): ReactNode
}

/** Adds a row, or changes the one of the address, fetched anew. */
export function RowDialog<Row>({ id, onClose, title, size = 480, row, leaving, children }: Props<Row>) {
  const t = useListText()
  const isNew = id === null
  const { data, error, refetch } = useQuery({ ...row(id ?? 0), enabled: !isNew && !leaving })
  // what was written in the form can still be copied when its row is gone
  const gone = !data && error instanceof ApiError && error.status === 404 ? error : null
  const [begun, setBegun] = useState<{ times: number; carried: object | null }>({ times: 0, carried: null })
  const again = async (carried: object) => {
    await refetch()
    setBegun(({ times }) => ({ times: times + 1, carried }))
  }
  useEffect(() => {
    if (!gone) return
    notify.failed(gone)
    onClose()
  }, [gone, onClose])
  if (gone) return null
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      {isNew || data ? (
        <Anew value={{ carried: begun.carried, again: isNew ? null : carried => void again(carried) }}>
          <Fragment key={begun.times}>{children(data ?? null)}</Fragment>
        </Anew>
      ) : error ? (
        <NotHad error={error} again={() => void refetch()} />
      ) : (
        <Late>
          <p role="status">{t('loading')}</p>
        </Late>
      )}
    </Dialog>
  )
}
