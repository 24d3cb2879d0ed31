import type { PauseReason } from '@balcao/contract/pauseReasons.ts'
import { IconCoffee } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { PauseReasonDialog } from './pause-reason.dialog.tsx'
import { pauseReasonList, removePauseReason } from './pauseReasons.api.ts'
import { usePauseReasonMenuText } from './pauseReasons.menu.text.ts'
import { usePauseReasonText } from './pauseReasons.text.ts'

const PATH = '/pauseReasons'

export default function PauseReasonsScreen() {
  const t = usePauseReasonText()
  const title = usePauseReasonMenuText()('pauseReasons')
  const list = useList(pauseReasonList)
  const [removing, setRemoving] = useState<PauseReason | null>(null)
  const mayChange = useMay('team')
  const columns: Column<PauseReason>[] = [{ key: 'name', head: t('name'), cell: one => one.name }]
  const actions: Column<PauseReason> = {
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
      {...(mayChange && { add: t('add'), dialog: PauseReasonDialog })}
    >
      <ListTable
        label={title}
        columns={mayChange ? [...columns, actions] : columns}
        list={list}
        icon={IconCoffee}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removePauseReason(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
