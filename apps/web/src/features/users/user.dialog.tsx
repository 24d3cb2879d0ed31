import type { User } from '@balcao/contract/users.ts'
import { useMay } from '../../platform/session.tsx'
import { useNewPassword } from '../../shell/new-password.ts'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { SecretUses } from '../secretUses/secret-uses.tsx'
import { UserHoursSection } from '../team/user-hours.tsx'
import { UserAccess, UserFlags } from './user-access.tsx'
import { UserAttending } from './user-attending.tsx'
import classes from './user-form.module.css'
import { UserIdentity } from './user-identity.tsx'
import { oneUser, saveUser, useUserOptions } from './users.api.ts'
import { noUser, schemaOf, type UserOptions, type UserValues, warnOf } from './users.form.ts'
import { useUserText } from './users.text.ts'

/** Adds a user, or changes the one of the address. */
export function UserDialog({ id, onClose }: RowDialogProps) {
  const t = useUserText()
  const choices = useUserOptions()
  return (
    <RowDialog id={id} row={oneUser} title={t(id === null ? 'add' : 'edit')} size="full" onClose={onClose}>
      {user => choices && <UserForm user={user} choices={choices} onClose={onClose} />}
    </RowDialog>
  )
}

interface Props {
  user: User | null
  choices: UserOptions
  onClose(): void
}

function UserForm({ user, choices, onClose }: Props) {
  const isMaster = useMay('master')
  const mayAdminister = useMay('administration')
  const isNew = user === null
  return (
    <div className={classes.form}>
      <RowForm
        schema={schemaOf(isNew, isMaster, choices, useNewPassword())}
        initialValues={valuesOf(user)}
        row={user}
        isNew={isNew}
        save={(values, _changed, seen) => saveUser(user?.id ?? null, values, seen)}
        onInvalid={warnOf}
        onClose={onClose}
      >
        {form => (
          <>
            <UserIdentity form={form} user={user} />
            <UserAccess form={form} user={user} choices={choices} />
            <UserFlags form={form} />
            <UserAttending form={form} />
            {user && mayAdminister && <UserHoursSection userId={user.id} />}
            {user && mayAdminister && <SecretUses userId={user.id} />}
          </>
        )}
      </RowForm>
    </div>
  )
}

const valuesOf = (user: User | null): UserValues =>
  user
    ? {
        name: user.name,
        email: user.email,
        password: '',
        endSecrets: true,
        profile: user.profile,
        userAuthorizationId: user.userAuthorizationId,
        whatsappId: user.whatsappId,
        queueIds: user.queueIds,
        greetingMessage: user.greetingMessage,
        farewellMessage: user.farewellMessage,
        enableGreeting: user.enableGreeting,
        signMessage: user.signMessage,
        showAllTickets: user.showAllTickets,
        payPanelAccess: user.payPanelAccess,
        master: user.master === 1,
        volume: user.volume,
      }
    : noUser
