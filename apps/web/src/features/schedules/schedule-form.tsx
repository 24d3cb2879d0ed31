import { AHEAD_YEARS, type Schedule, ScheduleType } from '@balcao/contract/schedules.ts'
import { NativeSelect, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { MessageField } from './message-field.tsx'
import { NextTimes } from './next-times.tsx'
import type { Begun } from './schedule.dialog.tsx'
import { ScheduleContacts } from './schedule-contacts.tsx'
import { ScheduleFile } from './schedule-file.tsx'
import { begin, type FormValues, fieldsOf, formSchema, severalOf } from './schedule-values.ts'
import { saveSchedule, saveSchedules } from './schedules.api.ts'
import { useScheduleText } from './schedules.text.ts'
import { SeriesFields } from './series-fields.tsx'

interface Props {
  id: number | null
  /** Initial values. */
  like: Schedule | null
  begun: Omit<Begun, 'contact'> & { contact: Begun['contact'] | null }
  onClose(): void
}

const MESSAGES = ['Texto', 'Mídia'] as const
const KINDS = ScheduleType.options

export function ScheduleForm({ id, like, begun, onClose }: Props) {
  const t = useScheduleText()
  const { companyId } = useUser()
  const queues = useQuery(queueChoices)
  const connections = useQuery(connectionChoices)
  // one press after another of the same form is the same request
  const [requestId] = useState(newId)
  const isKept = id !== null && like?.planned === true
  const isForSomebody = (like ?? begun).contact !== null
  return (
    <RowForm
      schema={formSchema}
      initialValues={begin(like, begun, isKept)}
      row={id === null ? null : like}
      isNew={id === null}
      done={t('saved')}
      save={(values, _changed, seen) =>
        values.isSeveral
          ? saveSchedules(companyId, { ...severalOf(values), requestId }, fileOf(values))
          : saveSchedule(id === null ? null : { id }, companyId, fieldsOf(values), fileOf(values), seen)
      }
      onInvalid={errors => warn(errors, t)}
      onClose={onClose}
    >
      {form => {
        const { sendAt, typeMessage, typeSchedule } = form.getValues()
        const isMedia = typeMessage === 'Mídia'
        return (
          <>
            <ScheduleContacts form={form} isNew={id === null} hasFocus={!isForSomebody} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={12}>
              <NativeSelect
                label={t('messageType')}
                data={MESSAGES.map(value => ({ value, label: t(value) }))}
                {...form.getInputProps('typeMessage')}
              />
              <NativeSelect
                label={t('scheduleType')}
                data={KINDS.map(value => ({ value, label: t(value) }))}
                {...form.getInputProps('typeSchedule')}
              />
              <DateTimeField
                label={t('sendAt')}
                value={sendAt || null}
                onChange={shown => form.setFieldValue('sendAt', shown ?? '')}
                error={form.errors.sendAt}
                from={clock().format('YYYY-MM-DD')}
                until={clock().add(AHEAD_YEARS, 'year').format('YYYY-MM-DD')}
              />
              {typeSchedule !== 'Único' && <SeriesFields form={form} />}
              <NativeSelect
                label={t('queue')}
                error={queues.isError ? t('loadFailed') : form.errors.queueId}
                data={[{ value: '', label: t('noQueue') }, ...optionsOf(queues.data)]}
                {...withoutError(form.getInputProps('queueId'))}
              />
              <NativeSelect
                label={t('connection')}
                error={connections.isError ? t('loadFailed') : form.errors.whatsappId}
                data={[{ value: '', label: t('usual') }, ...optionsOf(connections.data)]}
                {...withoutError(form.getInputProps('whatsappId'))}
              />
            </SimpleGrid>
            <NextTimes values={form.getValues()} of={isKept ? like : null} />
            {isMedia && <ScheduleFile form={form} />}
            <MessageField
              data-autofocus={isForSomebody}
              label={t(isMedia ? 'caption' : 'body')}
              {...form.getInputProps('body')}
              value={form.getValues().body}
            />
          </>
        )
      }}
    </RowForm>
  )
}

const optionsOf = (rows: { id: number; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: String(id), label: name }))

const withoutError = ({ error: _shown, ...props }: { error?: unknown }) => props

const fileOf = ({ file, typeMessage }: FormValues) => (typeMessage === 'Mídia' ? file : null)

/** The warnings of the documents, besides the errors at the fields. */
function warn(errors: Record<string, unknown>, t: ReturnType<typeof useScheduleText>) {
  if (errors.contactId) notify.warn(t('needsContact'), { id: 'schedule contact' })
  if (errors.body) notify.warn(String(errors.body), { id: 'schedule text' })
}
