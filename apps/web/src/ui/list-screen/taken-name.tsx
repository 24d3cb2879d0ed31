import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../dialog.tsx'

type Names = { from: string; into: string }

interface How {
  /** The row that is changed; null for a new one, which becomes one with nothing. */
  id: number | null
  /** What the refusal calls the id of the row that has the name. */
  owner: string
  /** Makes the first row one with the second. */
  merge(id: number, into: number): Promise<unknown>
  t(word: 'taken' | 'merge' | 'merged' | 'mergeTitle' | 'mergeDo' | 'mergeHint', names?: Names): string
  onDone(): void
}

/** Where a row takes the name of another, both may become one, after a question. */
export function useTakenName({ id, owner, merge, t, onDone }: How) {
  const [taken, setTaken] = useState<(Names & { ownerId: number }) | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  /** Saves, and keeps in mind whose the name is when it is another's. Throws what `save` throws. */
  async function saving(from: string | undefined, into: string, save: () => Promise<unknown>) {
    setTaken(null)
    await save().catch(error => {
      const ownerId =
        error instanceof ApiError && error.code === 'ERR_NAME_EXISTS' ? Number(error.details?.[owner]) : 0
      if (from !== undefined && ownerId) setTaken({ from, into, ownerId })
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

  /** Stands below the name, as it is written now. */
  const offer = (name: string): ReactNode =>
    taken?.into === name && (
      // pressing the button does not leave the field, whose error would go and move the button away
      <Group gap={8} role="status" onMouseDown={event => event.preventDefault()}>
        <Text size="sm">{t('taken')}</Text>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('merge')}
        </Button>
      </Group>
    )

  const question: ReactNode = id !== null && taken && isAsking && (
    <Confirm
      title={t('mergeTitle', taken)}
      confirm={t('mergeDo')}
      danger
      busy={busy}
      onConfirm={() => void become(taken.ownerId)}
      onClose={() => setAsking(false)}
    >
      {t('mergeHint', taken)}
    </Confirm>
  )
  return { saving, offer, question, isMerging: busy }
}
