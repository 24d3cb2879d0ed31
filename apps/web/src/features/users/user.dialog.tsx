import { DEFAULT_VOLUME, type User } from '@balcao/contract/users.ts'
import { useQueries } from '@tanstack/react-query'
import { useMay } from '../../platform/session.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { groupChoices } from '../permissions/permissions.api.ts'
import { connectionChoices, queueChoices } from '../tickets/tickets.api.ts'
import { UserAccess } from './user-access.tsx'
import { UserAttending } from './user-attending.tsx'
import classes from './user-form.module.css'
import { UserIdentity } from './user-identity.tsx'
import { oneUser, saveUser } from './users.api.ts'
import { schemaOf, type UserOptions, type UserValues, warnOf } from './users.form.ts'
import { useUserText } from './users.text.ts'

/** Adds a user, or changes the one of the address. */
export function UserDialog({ id, onClose }: RowDialogProps) {
  const t = useUserText()
  const choices = useChoices()
  return (
    <RowDialog id={id} row={oneUser} title={t(id === null ? 'add' : 'edit')} size="full" onClose={onClose}>
      {user => choices && <UserForm user={user} choices={choices} onClose={onClose} />}
    </RowDialog>
  )
}

/** What a user may be given; null until it is known. */
function useChoices(): UserOptions | null {
  const [groups, queues, connections] = useQueries({
    queries: [groupChoices, queueChoices, connectionChoices],
  })
  if (groups.isPending || queues.isPending || connections.isPending) return null
  return { groups: groups.data ?? [], queues: queues.data ?? [], connections: connections.data ?? [] }
}

interface Props {
  user: User | null
  choices: UserOptions
  onClose(): void
}

function UserForm({ user, choices, onClose }: Props) {
  const isMaster = useMay('master')
  const isNew = user === null
  return (
    <div className={classes.form}>
      <RowForm
        schema={schemaOf(isNew, isMaster, choices)}
        initialValues={valuesOf(user)}
        isNew={isNew}
        save={values => saveUser(user?.id ?? null, values)}
        onInvalid={warnOf}
        onClose={onClose}
      >
        {form => (
          <>
            <UserIdentity form={form} isNew={isNew} />
            <UserAccess form={form} user={user} choices={choices} />
            <UserAttending form={form} />
          </>
        )}
      </RowForm>
    </div>
  )
}

const valuesOf = (user: User | null): UserValues => ({
  name: user?.name ?? '',
  email: user?.email ?? '',
  password: '',
  profile: user?.profile ?? 'user',
  userAuthorizationId: user?.userAuthorizationId ?? null,
  whatsappId: user?.whatsappId ?? null,
  queueIds: user?.queueIds ?? [],
  greetingMessage: user?.greetingMessage ?? '',
  enableGreeting: user?.enableGreeting ?? false,
  signMessage: user?.signMessage ?? false,
  showAllTickets: user?.showAllTickets ?? false,
  payPanelAccess: user?.payPanelAccess ?? false,
  master: user?.master === 1,
  volume: user?.volume ?? DEFAULT_VOLUME,
})
