import { SimpleGrid, TextInput } from '@mantine/core'
import { PasswordField } from '../../ui/password-field.tsx'
import classes from './user-form.module.css'
import type { UserForm } from './users.form.ts'
import { useUserText } from './users.text.ts'

/** Who it is and how he logs in. */
export function UserIdentity({ form, isNew }: { form: UserForm; isNew: boolean }) {
  const t = useUserText()
  return (
    <fieldset className={classes.section}>
      <legend>{t('identity')}</legend>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <TextInput
          data-autofocus
          label={t('name')}
          maxLength={50}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput label={t('email')} type="email" autoComplete="off" {...form.getInputProps('email')} />
        <PasswordField
          label={t(isNew ? 'password' : 'newPassword')}
          description={isNew ? undefined : t('keep')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
    </fieldset>
  )
}
