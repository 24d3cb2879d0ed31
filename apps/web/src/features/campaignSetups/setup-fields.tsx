import { paceOptions } from '@balcao/contract/campaignSetups.ts'
import { usualCycle } from '@balcao/contract/campaigns.rules.ts'
import {
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  SimpleGrid,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { whole } from '../../platform/numbers.ts'
import { useMay } from '../../platform/session.tsx'
import { useLanguage } from '../../platform/text.ts'
import { shownTime } from '../../platform/time.ts'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { Banner } from '../../ui/status.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { useSetupFormText } from './campaignSetups.form.text.ts'
import classes from './campaignSetups.module.css'
import type { CampaignSetupValues } from './setup.dialog.tsx'

type Form = { form: UseFormReturnType<CampaignSetupValues> }

/** Name, connections, and where the conversations are assigned. */
export function GeneralFields({ form }: Form) {
  const t = useSetupFormText()
  const { data: queues = [] } = useQuery(queueChoices)
  return (
    <FieldGroup legend={t('general')}>
      <TextInput data-autofocus label={t('name')} maxLength={100} {...form.getInputProps('name')} />
      <Connections form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <NativeSelect
          label={t('queue')}
          data={[
            { value: '', label: t('noQueue') },
            ...queues.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps('queueId')}
        />
        <NativeSelect
          label={t('ticketStatus')}
          description={t('ticketStatusHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={(['open', 'pending', 'closed'] as const).map(value => ({ value, label: t(value) }))}
          {...form.getInputProps('ticketSetStatus')}
        />
      </SimpleGrid>
      <Switch label={t('autoStart')} {...form.getInputProps('autoStart', { type: 'checkbox' })} />
    </FieldGroup>
  )
}

/** Only those that are not the default (CSETUP-009); without one nothing can be sent (CSETUP-011). */
function Connections({ form }: Form) {
  const t = useSetupFormText()
  const { data, isSuccess } = useQuery(connectionChoices)
  const choices = (data ?? []).filter(({ isDefault }) => !isDefault)
  if (isSuccess && choices.length === 0)
    return (
      <Banner tone="error" icon={<IconAlertCircle size={16} aria-hidden />}>
        {t('noConnections')}
      </Banner>
    )
  return (
    <MultiSelect
      label={t('connections')}
      description={t('connectionsHint')}
      data={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
      clearButtonProps={{ 'aria-label': t('clear') }}
      clearable
      searchable
      // the first invalid field is focused on submit; its open list would cover the error
      openOnFocus={false}
      error={form.errors.whatsapps && t('needsConnection')}
      value={form.values.whatsapps.map(String)}
      onChange={ids => {
        form.setFieldValue('whatsapps', ids.map(Number))
        form.clearFieldError('whatsapps')
      }}
    />
  )
}

/** Pace of sending; WhatsApp publishes no limits, which the form states. */
export function PaceFields({ form }: Form) {
  const t = useSetupFormText()
  const { tMin, tMax, interval } = form.values
  const perHour = 3_600 / usualCycle({ tMin: Number(tMin), tMax: Number(tMax), interval: Number(interval) })
  return (
    <FieldGroup legend={t('pace')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={12}>
        {(['tMax', 'tMin', 'interval'] as const).map(field => (
          <NativeSelect
            key={field}
            label={t(field)}
            title={field === 'tMin' ? t('tMinWarning') : undefined}
            data={paceOptions[field].map(count => ({ value: String(count), label: t('seconds', { count }) }))}
            {...form.getInputProps(field)}
          />
        ))}
      </SimpleGrid>
      <Text size="xs" className={classes.note}>
        <IconAlertTriangle size={14} aria-hidden /> {t('tMinWarning')}{' '}
        {t('aboutPerHour', { count: whole(Math.floor(perHour)) })}
      </Text>
      <Switch
        label={t('warmUp')}
        description={t('warmUpHint')}
        {...form.getInputProps('warmUp', { type: 'checkbox' })}
      />
    </FieldGroup>
  )
}

/** Between which hours of the company's clock, and on which days. */
export function HourFields({ form }: Form) {
  const t = useSetupFormText()
  useLanguage()
  const { dailyFrom, dailyUntil, weekdays } = form.values
  const isNarrow = dailyFrom !== null
  const hours = (from: string | null, until: string | null) =>
    form.setValues({ dailyFrom: from, dailyUntil: until })
  return (
    <FieldGroup legend={t('hours')}>
      <Switch
        label={t('allDay')}
        checked={isNarrow}
        onChange={event => (event.currentTarget.checked ? hours('08:00', '20:00') : hours(null, null))}
      />
      {isNarrow && (
        <SimpleGrid cols={2} spacing={12}>
          <TextInput
            type="time"
            label={t('from')}
            value={dailyFrom}
            error={form.errors.dailyFrom && t('needsHour')}
            onChange={event => hours(event.currentTarget.value, dailyUntil)}
          />
          <TextInput
            type="time"
            label={t('until')}
            value={dailyUntil ?? ''}
            error={form.errors.dailyUntil && t('needsHour')}
            onChange={event => hours(dailyFrom, event.currentTarget.value)}
          />
        </SimpleGrid>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend of its own */}
      <div role="group" aria-label={t('weekdays')}>
        <Text size="sm" mb={4} aria-hidden>
          {t('weekdays')}
        </Text>
        <Group gap={14}>
          {/* the first of that month was a Sunday */}
          {[0, 1, 2, 3, 4, 5, 6].map(day => (
            <Checkbox
              key={day}
              label={shownTime(`2026-02-0${day + 1}`).format('ddd')}
              checked={weekdays.includes(day)}
              onChange={event => {
                const others = weekdays.filter(one => one !== day)
                form.setFieldValue(
                  'weekdays',
                  event.currentTarget.checked ? [...others, day].toSorted() : others,
                )
              }}
            />
          ))}
        </Group>
      </div>
    </FieldGroup>
  )
}

/** The footer of a message, and who is notified when the campaign is over. */
export function AfterFields({ form, children }: Form & { children: ReactNode }) {
  const t = useSetupFormText()
  const mayWebhook = useMay('webhooks')
  return (
    <FieldGroup legend={t('after')}>
      <NativeSelect
        label={t('footer')}
        data={(['none', 'buttons'] as const).map(value => ({ value, label: t(value) }))}
        {...form.getInputProps('messageFooterType')}
      />
      {children}
      <TextInput
        type="url"
        label={t('webhook')}
        description={mayWebhook ? undefined : t('webhookByRight')}
        disabled={!mayWebhook}
        placeholder="https://"
        maxLength={2_000}
        {...form.getInputProps('webhookUrlConcluded')}
      />
    </FieldGroup>
  )
}
