import type { User } from '@balcao/contract/users.ts'
import { Checkbox, Group, NativeSelect, SimpleGrid, Switch } from '@mantine/core'
import { useMay, useUser } from '../../platform/session.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import classes from './user-form.module.css'
import type { UserForm, UserOptions } from './users.form.ts'
import { useUserText } from './users.text.ts'

interface Props {
  form: UserForm
  /** Null for a new one. */
  user: User | null
  choices: UserOptions
}

/** What a user may do and where: profile, group, queues and connection. */
export function UserAccess({ form, user, choices }: Props) {
  const t = useUserText()
  const me = useUser()
  const mayProfile = useMay('user-modal:editProfile')
  const isOwn = user?.id === me.id
  const { groups, queues, connections } = choices
  return (
    <FieldSection legend={t('access')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <NativeSelect
          label={t('profile')}
          description={isOwn ? t('ownProfile') : undefined}
          disabled={!mayProfile || isOwn}
          data={(['user', 'admin'] as const).map(value => ({ value, label: t(value) }))}
          {...form.getInputProps('profile')}
        />
        <IdSelect
          form={form}
          field="userAuthorizationId"
          label={t('group')}
          none={t(user ? 'noGroup' : 'choose')}
          made={t('madeGroups')}
          rows={groups}
        />
        <IdSelect
          form={form}
          field="whatsappId"
          label={t('connection')}
          none={t(user ? 'noConnection' : 'choose')}
          made={t('madeConnection')}
          rows={connections}
        />
      </SimpleGrid>
      <Checkbox.Group
        mt={12}
        label={t('queues')}
        description={queues.length === 0 ? t('madeQueues') : undefined}
        error={form.errors.queueIds}
        value={form.values.queueIds.map(String)}
        onChange={values => form.setFieldValue('queueIds', values.map(Number))}
      >
        <Group gap={16} my={6}>
          {queues.map(({ id, name }) => (
            <Checkbox key={id} value={String(id)} label={name} disabled={!mayProfile} />
          ))}
        </Group>
      </Checkbox.Group>
    </FieldSection>
  )
}

/** The flags that few may give. */
export function UserFlags({ form }: { form: UserForm }) {
  const t = useUserText()
  const me = useUser()
  const isMaster = useMay('master')
  if (!isMaster && !me.payPanelAccess) return null
  return (
    <div className={classes.switches}>
      <Switch label={t('payPanelAccess')} {...form.getInputProps('payPanelAccess', { type: 'checkbox' })} />
      {isMaster && <Switch label={t('master')} {...form.getInputProps('master', { type: 'checkbox' })} />}
    </div>
  )
}

interface IdSelectProps {
  form: UserForm
  field: 'userAuthorizationId' | 'whatsappId'
  label: string
  none: string
  /** Shown where there is nothing to choose yet: it is created with the first user. */
  made: string
  rows: { id: number; name: string }[]
}

/** One row by its id, or none. */
function IdSelect({ form, field, label, none, made, rows }: IdSelectProps) {
  return (
    <NativeSelect
      label={label}
      description={rows.length === 0 ? made : undefined}
      disabled={rows.length === 0}
      error={form.errors[field]}
      data={[{ value: '', label: none }, ...rows.map(({ id, name }) => ({ value: String(id), label: name }))]}
      value={String(form.values[field] ?? '')}
      onChange={event => form.setFieldValue(field, Number(event.currentTarget.value) || null)}
    />
  )
}
