import { mayChangeSchedule } from '@balcao/contract/schedules.rules.ts'
import { type Schedule, TABLE_WORDS } from '@balcao/contract/schedules.ts'
import { IconCopy, IconPaperclip, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { phoneText } from '../../platform/phone.ts'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { List } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { onOneLine } from './on-one-line.ts'
import { ScheduleState } from './schedule-state.tsx'
import { useScheduleMenuText } from './schedules.menu.text.ts'
import { useScheduleText } from './schedules.text.ts'

interface Props {
  list: List<Schedule>
  empty: ReactNode
  onEdit(schedule: Schedule): void
  onCopy(schedule: Schedule): void
  onRemove(schedule: Schedule): void
}

export function ScheduleTable({ list, empty, ...acts }: Props) {
  const t = useScheduleText()
  const label = useScheduleMenuText()('schedules')
  const columns: Column<Schedule>[] = [
    { key: 'contact', head: t('contact'), cell: one => <Cut text={phoneText(one.contact.name)} /> },
    { key: 'body', head: t('body'), cell: one => <Words schedule={one} /> },
    { key: 'queue', head: t('queue'), cell: one => one.queue && <Cut text={one.queue.name} /> },
    {
      key: 'whatsapp',
      head: t('connection'),
      cell: one => (one.whatsapp ? <Cut text={one.whatsapp.name} /> : t('lost')),
    },
    { key: 'user', head: t('user'), cell: one => one.user && <Cut text={one.user.name} /> },
    {
      key: 'time',
      head: t('time'),
      cell: one => (
        <span title={t(one.typeSchedule)}>
          {clock(one.sendAt).format('L LT')}
          {one.typeSchedule !== 'Único' && ' ↻'}
        </span>
      ),
    },
    { key: 'status', head: t('status'), cell: one => <ScheduleState schedule={one} /> },
    { key: 'actions', head: '', kind: 'actions', cell: one => <Acts schedule={one} {...acts} /> },
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={list.rows}
      keyOf={one => one.id}
      paging={list}
      empty={empty}
      mark={one => ({ 'data-schedule': String(one.id) })}
    />
  )
}

function Cut({ text }: { text: string }) {
  return <span title={text}>{onOneLine(text, TABLE_WORDS)}</span>
}

function Words({ schedule: { body, mediaName } }: { schedule: Schedule }) {
  return (
    <span title={[mediaName, body].filter(Boolean).join('\n')}>
      {mediaName && <IconPaperclip size={14} aria-hidden style={{ verticalAlign: '-2px' }} />}
      {onOneLine(body || mediaName, TABLE_WORDS)}
    </span>
  )
}

/** A user who may not change it may still copy it. */
function Acts({
  schedule,
  onEdit,
  onCopy,
  onRemove,
}: { schedule: Schedule } & Omit<Props, 'list' | 'empty'>) {
  const t = useScheduleText()
  const mayChange = mayChangeSchedule(useViewer(), schedule)
  const { name } = schedule.contact
  return (
    <>
      {mayChange && (
        <IconButton label={t('editNamed', { name })} onClick={() => onEdit(schedule)}>
          <IconPencil size={18} stroke={1.75} />
        </IconButton>
      )}
      <IconButton label={t('copyNamed', { name })} onClick={() => onCopy(schedule)}>
        <IconCopy size={18} stroke={1.75} />
      </IconButton>
      {mayChange && (
        <IconButton label={t('removeNamed', { name })} onClick={() => onRemove(schedule)}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
}
