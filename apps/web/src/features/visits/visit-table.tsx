import type { OperatorVisit } from '@balcao/contract/visits.ts'
import { IconEye } from '@tabler/icons-react'
import { clock } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { visitList } from './visits.api.ts'
import { useVisitText } from './visits.text.ts'

/** Visits of a company: who, why, when, and which parts. */
export function VisitTable({ companyId }: { companyId: number }) {
  const t = useVisitText()
  const list = useList(visitList(companyId))
  const columns: Column<OperatorVisit>[] = [
    { key: 'when', head: t('when'), cell: one => <When visit={one} /> },
    { key: 'who', head: t('who'), cell: one => `${one.visitorName} (${one.visitorEmail})` },
    { key: 'reason', head: t('reason'), cell: one => one.reason },
    { key: 'looks', head: t('looks'), cell: one => <Looks visit={one} /> },
  ]
  return (
    <Table
      label={t('visits')}
      columns={columns}
      rows={list.rows}
      keyOf={one => one.id}
      paging={list}
      empty={<Empty icon={<IconEye size={26} />} title={t('none')} />}
    />
  )
}

function When({ visit: { startedAt, endsAt, endedAt } }: { visit: OperatorVisit }) {
  const t = useVisitText()
  const isOver = endedAt !== null || Date.parse(endsAt) <= Date.now()
  const end = isOver ? clock(endedAt ?? endsAt).format('HH:mm') : t('underWay')
  return `${clock(startedAt).format('L LT')} – ${end}`
}

function Looks({ visit: { looks } }: { visit: OperatorVisit }) {
  const t = useVisitText()
  const words = looks.map(({ subject, subjectId, times }) => {
    const what = t(subject, { id: subjectId ?? '' })
    return times > 1 ? `${what} (${times} ×)` : what
  })
  return words.length > 0 ? words.join(', ') : t('nothing')
}
