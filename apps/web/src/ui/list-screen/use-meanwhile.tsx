import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type ReactNode, useState } from 'react'
import { ChangedMeanwhile } from './changed-meanwhile.dialog.tsx'
import { type Conflict, conflictOf } from './meanwhile.ts'

/** The question of a form that is no `RowForm`, where somebody else changed its row meanwhile. */
export function useMeanwhile(): { question: ReactNode; asks: typeof asks } {
  const [conflict, setConflict] = useState<(Conflict & { again(current: Seen): void }) | null>(null)
  /**
   * True for a refusal that is asked about; `again` saves over the row as it is now. `labels` by field, where they are not those
   * of a form.
   */
  function asks(error: unknown, again: (current: Seen) => void, labels?: Record<string, string>): boolean {
    const found = conflictOf(error, document.activeElement?.closest('form') ?? null, labels)
    if (found) setConflict({ ...found, again })
    return Boolean(found)
  }
  const question = conflict && (
    <ChangedMeanwhile
      conflict={conflict}
      onMine={() => {
        setConflict(null)
        conflict.again(conflict.current)
      }}
      onTheirs={null}
      onClose={() => setConflict(null)}
    />
  )
  return { question, asks }
}
