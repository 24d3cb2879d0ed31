import { NumberInput, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useUser } from '../../platform/session.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import classes from './client-form.module.css'
import { useClientText } from './clients.text.ts'
import { type ClientValues, switches } from './clients.values.ts'

interface Props {
  form: UseFormReturnType<ClientValues>
}

/** The first administrator of a new company. */
export function FirstUser({ form }: Props) {
  const t = useClientText()
  return (
    <FieldSection legend={t('first')}>
      <Text size="sm" c="dimmed" mb={8}>
        {t('firstHint')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <TextInput
          required
          label={t('userName')}
          maxLength={50}
          autoComplete="off"
          {...form.getInputProps('userName')}
        />
        <PasswordField
          required
          label={t('passwordDefault')}
          autoComplete="new-password"
          {...form.getInputProps('passwordDefault')}
        />
      </SimpleGrid>
    </FieldSection>
  )
}

export function Notifications({ form }: Props) {
  const t = useClientText()
  return (
    <FieldSection legend={t('notifications')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        {(['emailsOfNotifications', 'whatsappsOfNotifications'] as const).map(field => (
          <Textarea key={field} label={t(field)} autosize minRows={1} {...form.getInputProps(field)} />
        ))}
      </SimpleGrid>
    </FieldSection>
  )
}

/** What only the operator changes. */
export function Limits({ form, companyId }: Props & { companyId: number | null }) {
  const t = useClientText()
  const isOwn = useUser().companyId === companyId
  return (
    <FieldSection legend={t('operator')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <NumberInput
          label={t('attendants')}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('numberAttendants')}
        />
        <NumberInput
          label={t('connections')}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('numberConections')}
        />
      </SimpleGrid>
      <Textarea
        mt={12}
        label={t('observation')}
        autosize
        minRows={1}
        {...form.getInputProps('observation')}
      />
      <div className={classes.switches}>
        <Switch
          label={t('status')}
          description={isOwn ? t('ownStatus') : undefined}
          disabled={isOwn}
          {...form.getInputProps('status', { type: 'checkbox' })}
        />
        {switches.map(field => (
          <Switch key={field} label={t(field)} {...form.getInputProps(field, { type: 'checkbox' })} />
        ))}
      </div>
    </FieldSection>
  )
}
