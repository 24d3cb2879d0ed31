import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../dialog.tsx'

type Names = { from: string; into: string }

interface How {
  /** The row to change; null for a new one, which cannot be merged. */
  id: number | null
  /** What the refusal calls the id of the row that has the name. */
  owner: string
  /** Merges the first row into the second. */
  merge(id: number, into: number): Promise<unknown>
  t(word: 'taken' | 'merge' | 'merged' | 'mergeTitle' | 'mergeDo' | 'mergeHint', names?: Names): string
  onDone(): void
}

/** Where a row gets the name of another, both may be merged, after a confirmation. */
export function useTakenName({ id, owner, merge, t, onDone }: How) {
  const [conflict, setConflict] = useState<(Names & { ownerId: number }) | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  /** Saves, and keeps in mind whose the name is when it is another's. Throws what `save` throws. */
  async function saving(from: string | undefined, into: string, save: () => Promise<unknown>) {
    setConflict(null)
    await save().catch(error => {
      const ownerId =
        error instanceof ApiError && error.code === 'ERR_NAME_EXISTS' ? Number(error.details?.[owner]) : 0
      if (from !== undefined && ownerId) setConflict({ from, into, ownerId })
      throw error
    })
  }

  async function become(into: number) {
    setBusy(true)
    try {
      await merge(id!, into)
      notify.done(t('merged'))
      onDone()
    } catch (error) {
      notify.failed(error)
      setBusy(false)
      setAsking(false)
    }
  }

  /** Shown below the name as it is written now. */
  const offer = (name: string): ReactNode =>
    conflict?.into === name && (
      // pressing the button does not blur the field, whose error would disappear and move the button away
      <Group gap={8} role="status" onMouseDown={event => event.preventDefault()}>
        <Text size="sm">{t('taken')}</Text>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('merge')}
        </Button>
      </Group>
    )

  const question: ReactNode = id !== null && conflict && isAsking && (
    <Confirm
      title={t('mergeTitle', conflict)}
      confirm={t('mergeDo')}
      danger
      busy={busy}
      onConfirm={() => void become(conflict.ownerId)}
      onClose={() => setAsking(false)}
    >
      {t('mergeHint', conflict)}
    </Confirm>
  )
  return { saving, offer, question, isMerging: busy }
}
