import { type ReactNode, useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../dialog.tsx'
import { useListText } from './list-screen.text.ts'

interface Props {
  /** The question; it names the row. */
  title: string
  /** `evenIfUsed`: after it was refused since bots use the row, and they were named. */
  remove(evenIfUsed: boolean): Promise<unknown>
  onClose(): void
  /** What is deleted with the row, or kept. */
  children?: ReactNode
  /** Notice of success, where the documents give one. */
  done?: string
}

/** Confirms the deletion of a row, deletes it and reports it; where bots use it, they are named, and it asks again. */
export function RemoveDialog({ title, remove, onClose, children, done }: Props) {
  const t = useListText()
  const [busy, setBusy] = useState(false)
  const [bots, setBots] = useState<string[] | null>(null)
  const confirmed = async () => {
    setBusy(true)
    const used = await remove(bots !== null).then(
      () => void notify.done(done ?? t('removed')),
      error => botsIn(error) ?? void notify.failed(error),
    )
    setBusy(false)
    if (used) setBots(used)
    else onClose()
  }
  return (
    <Confirm
      title={title}
      confirm={t(bots ? 'removeUsed' : 'remove')}
      danger
      busy={busy}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      {children}
      <span role="alert" style={{ display: 'block' }}>
        {bots && t('usedBy', { bots: bots.join(', ') })}
      </span>
    </Confirm>
  )
}

const botsIn = (error: unknown): string[] | null =>
  error instanceof ApiError && error.code === 'ERR_USED_BY_BOTS' ? (error.details?.bots as string[]) : null
