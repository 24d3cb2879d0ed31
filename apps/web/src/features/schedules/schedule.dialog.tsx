import type { Schedule } from '@balcao/contract/schedules.ts'
import { useUser } from '../../platform/session.tsx'
import { RowDialog } from '../../ui/list-screen/row.dialog.tsx'
import type { Named } from '../../ui/row-picker.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { oneSchedule } from './schedules.api.ts'
import { useScheduleText } from './schedules.text.ts'

interface Props {
  /** The schedule to change; null for a new one. */
  id: number | null
  /** Template of a new one. */
  copyOf?: number | null
  /** Contact and connection, if opened from a conversation. */
  begun?: Begun
  onClose(): void
}

export interface Begun {
  contact: Named
  queueId: number | null
  whatsappId: number | null
}

/** Schedules a message, changes one, or copies one. */
export default function ScheduleDialog({ id, copyOf = null, begun, onClose }: Props) {
  const t = useScheduleText()
  const user = useUser()
  const title = t(id !== null ? 'edit' : copyOf === null ? 'add' : 'copy')
  return (
    <RowDialog id={id ?? copyOf} row={oneSchedule} title={title} size={620} onClose={onClose}>
      {(like: Schedule | null) => (
        <ScheduleForm
          id={id}
          like={like}
          begun={begun ?? { contact: null, queueId: null, whatsappId: user.whatsappId }}
          onClose={onClose}
        />
      )}
    </RowDialog>
  )
}
