import { INTEGRATION_TYPES, type Integration, OPENAI_URL } from '@balcao/contract/integrations.ts'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { IntegrationDialog } from './integration.dialog.tsx'
import { integrationList, removeIntegration } from './integrations.api.ts'
import { useIntegrationText } from './integrations.text.ts'
import { TestDialog } from './test.dialog.tsx'

const PATH = '/integration'

export default function IntegrationsScreen() {
  const t = useIntegrationText()
  const list = useList(integrationList)
  const [removing, setRemoving] = useState<Integration | null>(null)
  const [testing, setTesting] = useState<Integration | null>(null)
  const columns: Column<Integration>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'type', head: t('type'), cell: one => INTEGRATION_TYPES[one.integrationType] },
    { key: 'apiUrl', head: t('apiUrl'), kind: 'long', cell: one => one.apiUrl || OPENAI_URL },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <>
          <IconButton label={t('test', { name: one.name })} onClick={() => setTesting(one)}>
            <IconPlugConnected size={18} stroke={1.75} />
          </IconButton>
          <RowActions name={one.name} edit={`${PATH}/${one.id}`} onRemove={() => setRemoving(one)} />
        </>
      ),
    },
  ]
  return (
    <ListScreen
      path={PATH}
      title={t('title')}
      list={list}
      add={t('add')}
      dialog={IntegrationDialog}
      back={{ path: '/botConfig', label: t('prompts') }}
    >
      <ListTable
        label={t('title')}
        columns={columns}
        list={list}
        icon={IconPlugConnected}
        none={t('none')}
        hint={t('noneHint')}
      />
      {testing && <TestDialog integration={testing} onClose={() => setTesting(null)} />}
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removeIntegration(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
