import type { Flow } from '@balcao/contract/flows.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useState } from 'react'
import { useGoTo } from '../../ui/go-to.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions, useWhyNot } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { flowList, removeFlow } from './flows.api.ts'
import { useFlowMenuText } from './flows.menu.text.ts'
import { useFlowText } from './flows.text.ts'

const EDITOR = '/flowmanager/'

export default function FlowListScreen() {
  const t = useFlowText()
  const title = useFlowMenuText()('flows')
  const goTo = useGoTo()
  const list = useList(flowList)
  const [removing, setRemoving] = useState<Flow | null>(null)
  const whyNot = useWhyNot('shared:delete')
  const columns: Column<Flow>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'type', head: t('type'), cell: one => t(one.type) },
    { key: 'count', head: t('actions'), kind: 'number', cell: one => one.flowActions.length },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions
          name={one.name}
          edit={EDITOR + one.id}
          onRemove={() => setRemoving(one)}
          whyNot={whyNot}
        />
      ),
    },
  ]
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => goTo(EDITOR)}>
      {t('add')}
    </Button>
  )
  return (
    <ListScreen path="/flowList" title={title} list={list} actions={add}>
      <ListTable
        label={title}
        columns={columns}
        list={list}
        onOpen={one => goTo(EDITOR + one.id)}
        icon={IconRoute}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={evenIfUsed => removeFlow(removing.id, evenIfUsed)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
