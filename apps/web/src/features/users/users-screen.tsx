import { mayReceiveAccount } from '@balcao/contract/permissions.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import { Button } from '@mantine/core'
import { IconMail, IconShieldLock, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMay, useUser, useViewer } from '../../platform/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { RemoveUserDialog } from './remove-user.dialog.tsx'
import { UserDialog } from './user.dialog.tsx'
import { openInvitations, userList } from './users.api.ts'
import { useUserMenuText } from './users.menu.text.ts'
import { useUserText } from './users.text.ts'

const PATH = '/users'
/** So many letters search the users (core §5). */
const MINIMUM = 3

/** The users of the company. */
export default function UsersScreen() {
  const t = useUserText()
  const title = useUserMenuText()('users')
  const list = useList(userList, { minimum: MINIMUM })
  const [removing, setRemoving] = useState<User | null>(null)
  const columns: Column<User>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'email', head: t('email'), cell: one => one.email },
    { key: 'profile', head: t('profile'), cell: one => t(one.profile) },
    { key: 'connection', head: t('connection'), cell: one => one.whatsapp?.name },
    { key: 'company', head: t('company'), cell: one => one.company.companyName },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => <Actions user={one} onRemove={() => setRemoving(one)} />,
    },
  ]
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      folds
      actions={
        <>
          <ToGroups />
          <ToInvitations />
        </>
      }
      add={t('add')}
      dialog={UserDialog}
    >
      <ListTable label={title} columns={columns} list={list} icon={IconUsers} none={t('none')} />
      {removing && <RemoveUserDialog user={removing} onClose={() => setRemoving(null)} />}
    </ListScreen>
  )
}

function ToGroups() {
  const t = useUserText()
  return (
    <Button
      component={Link}
      to="/UserAuthorizations"
      variant="default"
      leftSection={<IconShieldLock size={16} aria-hidden />}
    >
      {t('groups')}
    </Button>
  )
}

/** Link to the invitations, with the number of pending ones. */
function ToInvitations() {
  const t = useUserText()
  const { data = [] } = useQuery(openInvitations)
  return (
    <Button
      component={Link}
      to="/invitations"
      variant="default"
      leftSection={<IconMail size={16} aria-hidden />}
      rightSection={data.length > 0 && <Badge count={data.length} look="neutral" />}
    >
      {t('invitations')}
    </Button>
  )
}

/**
 * The platform's operators are changed by operators only; users delete neither themselves nor users with
 * rights they may not grant.
 */
function Actions({ user, onRemove }: { user: User; onRemove(): void }) {
  const t = useUserText()
  const me = useUser()
  const viewer = useViewer()
  const isMaster = useMay('master')
  if (user.master === 1 && !isMaster) return null
  return (
    <RowActions
      name={user.name}
      edit={`${PATH}/${user.id}`}
      onRemove={user.id === me.id ? undefined : onRemove}
      whyNot={mayReceiveAccount(viewer, user) ? undefined : t('holdsMore', { name: user.name })}
    />
  )
}
