import type { ClosingReason } from '@balcao/contract/closingReasons.ts'
import { IconFlagCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { ClosingReasonDialog } from './closing-reason.dialog.tsx'
import { closingReasonList, removeClosingReason } from './closingReasons.api.ts'
import { useClosingReasonMenuText } from './closingReasons.menu.text.ts'
import { useClosingReasonText } from './closingReasons.text.ts'

const PATH = '/closingReasons'

export default function ClosingReasonsScreen() {
  const t = useClosingReasonText()
  const title = useClosingReasonMenuText()('closingReasons')
  const list = useList(closingReasonList)
  const [removing, setRemoving] = useState<ClosingReason | null>(null)
  const mayChange = useMay('administration')
  const { data: queues = [] } = useQuery(queueChoices)
  const namesOf = (ids: number[]) => queues.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  const columns: Column<ClosingReason>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    {
      key: 'queues',
      head: t('queues'),
      cell: one => (one.queueIds.length === 0 ? t('allQueues') : namesOf(one.queueIds).join(', ')),
    },
    { key: 'active', head: t('active'), cell: one => t(one.active ? 'yes' : 'no') },
    { key: 'spam', head: t('spam'), cell: one => t(one.spam ? 'yes' : 'no') },
  ]
  const actions: Column<ClosingReason> = {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => <RowActions name={one.name} edit={`${PATH}/${one.id}`} onRemove={() => setRemoving(one)} />,
  }
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      {...(mayChange && { add: t('add'), dialog: ClosingReasonDialog })}
    >
      <ListTable
        label={title}
        columns={mayChange ? [...columns, actions] : columns}
        list={list}
        icon={IconFlagCheck}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removeClosingReason(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
