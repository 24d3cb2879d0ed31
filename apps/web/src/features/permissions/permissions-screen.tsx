import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { GroupDialog } from './group.dialog.tsx'
import { groupList, oneGroup, removeGroup } from './permissions.api.ts'
import { usePermissionText } from './permissions.text.ts'

const PATH = '/UserAuthorizations'

/** What users may see and do, by groups. */
export default function PermissionsScreen() {
  const t = usePermissionText()
  const list = useList(groupList)
  const [removing, setRemoving] = useState<UserAuthorization | null>(null)
  const has = (flag: boolean | 0 | 1) => t(flag ? 'yes' : 'no')
  const columns: Column<UserAuthorization>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'messages', head: t('messages'), cell: one => t(`sees${one.viewMessagesByTicket}`) },
    { key: 'panel', head: t('enableDash'), cell: one => has(one.enableDash) },
    { key: 'export', head: t('allowTicketExport'), cell: one => has(one.allowTicketExport) },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions name={one.name} edit={`${PATH}/${one.id}`} onRemove={() => setRemoving(one)} />
      ),
    },
  ]
  return (
    <ListScreen
      path={PATH}
      title={t('title')}
      back={{ path: '/users', label: t('back') }}
      list={list}
      add={t('add')}
      dialog={GroupDialog}
    >
      <ListTable
        label={t('title')}
        columns={columns}
        list={list}
        icon={IconShieldLock}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && <RemoveGroup group={removing} onClose={() => setRemoving(null)} />}
    </ListScreen>
  )
}

/** Shows how many users have the group before it is deleted. */
function RemoveGroup({ group, onClose }: { group: UserAuthorization; onClose(): void }) {
  const t = usePermissionText()
  const { data } = useQuery(oneGroup(group.id))
  const count = data?.usersCount
  return (
    <RemoveDialog
      title={t('removeTitle', { name: group.name })}
      remove={() => removeGroup(group.id)}
      onClose={onClose}
    >
      <p role="status" style={{ margin: 0, minHeight: '2lh' }}>
        {count !== undefined && t(count > 0 ? 'removeUsed' : 'removeUnused', { count })}
      </p>
    </RemoveDialog>
  )
}
