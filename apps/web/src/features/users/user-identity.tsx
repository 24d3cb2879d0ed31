import { mayReceiveAccount } from '@balcao/contract/permissions.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import { SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useUser, useViewer } from '../../platform/session.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import type { UserForm } from './users.form.ts'
import { useUserText } from './users.text.ts'

/** Name and login of a user. */
export function UserIdentity({ form, user }: { form: UserForm; user: User | null }) {
  const t = useUserText()
  const isNew = user === null
  const isOwn = user?.id === useUser().id
  const viewer = useViewer()
  const isBeyond = !isOwn && user !== null && !mayReceiveAccount(viewer, user)
  return (
    <FieldSection legend={t('identity')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <TextInput
          data-autofocus
          label={t('name')}
          maxLength={50}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('email')}
          description={isOwn ? t('ownAccount') : isBeyond ? t('holdsMore', { name: user.name }) : undefined}
          disabled={isOwn || isBeyond}
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {!isOwn && !isBeyond && (
          <PasswordField
            label={t(isNew ? 'password' : 'newPassword')}
            description={isNew ? undefined : t('keep')}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        )}
      </SimpleGrid>
      {!isNew && form.values.password !== '' && (
        <Switch
          mt={12}
          label={t('endSecrets')}
          description={t('endSecretsHint')}
          {...form.getInputProps('endSecrets', { type: 'checkbox' })}
        />
      )}
    </FieldSection>
  )
}
