import type { Queue } from '@balcao/contract/queues.ts'
import { IconStack2, IconTargetArrow, IconUserShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Chip } from '../../ui/chip.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { soon } from '../../ui/soon.tsx'
import type { Column } from '../../ui/table.tsx'
import { QueueDialog } from './queue.dialog.tsx'
import { removeQueue } from './queues.api.ts'
import { queueChoices } from './queues.choices.ts'
import { useQueueMenuText } from './queues.menu.text.ts'
import { useQueueText } from './queues.text.ts'

const QueueTargetsDialog = soon(() => import('../targets/queue-targets.dialog.tsx'))
const AssignmentDialog = soon(() => import('../assignment/assignment.dialog.tsx'))

const PATH = '/queues'

/** The departments of the company. */
export default function QueuesScreen() {
  const t = useQueueText()
  const title = useQueueMenuText()('queues')
  const list = wholeList(useQuery(queueChoices))
  const [removing, setRemoving] = useState<Queue | null>(null)
  const [giving, setGiving] = useState<Queue | null>(null)
  const [promising, setPromising] = useState<Queue | null>(null)
  const columns: Column<Queue>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'color', head: t('color'), cell: one => <Chip label={one.color} color={one.color} /> },
    { key: 'greeting', head: t('greeting'), kind: 'long', cell: one => one.greetingMessage },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <>
          <IconButton label={t('assignment', { name: one.name })} onClick={() => setGiving(one)}>
            <IconUserShare size={18} stroke={1.75} />
          </IconButton>
          <IconButton label={t('targetsOf', { name: one.name })} onClick={() => setPromising(one)}>
            <IconTargetArrow size={18} stroke={1.75} />
          </IconButton>
          <RowActions name={one.name} edit={`${PATH}/${one.id}`} onRemove={() => setRemoving(one)} />
        </>
      ),
    },
  ]
  return (
    <ListScreen path={PATH} title={title} list={list} add={t('add')} dialog={QueueDialog}>
      <ListTable
        label={title}
        columns={columns}
        list={list}
        icon={IconStack2}
        none={t('none')}
        hint={t('noneHint')}
      />
      {giving && <AssignmentDialog queue={giving} onClose={() => setGiving(null)} />}
      {promising && (
        <QueueTargetsDialog queue={promising} others={list.rows} onClose={() => setPromising(null)} />
      )}
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={evenIfUsed => removeQueue(removing.id, evenIfUsed)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
