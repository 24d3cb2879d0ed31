import { greetingMissing } from '@balcao/contract/connections.rules.ts'
import { type Connection, ConnectionInput, type Lib } from '@balcao/contract/connections.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useBranding } from '../../shell/branding.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { seenOf } from '../../ui/list-screen/meanwhile.ts'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { OwnHours } from '../businessHours/own-hours.tsx'
import { CloudFields, cloudErrors, cloudInput, cloudValues } from '../cloud/cloud-fields.tsx'
import { SignUp } from '../cloud/sign-up.tsx'
import { ImportFields, importErrors } from '../imports/import-fields.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { ConnectionSwitches } from './connection-switches.tsx'
import { addConnection, changeConnection } from './connections.api.ts'
import { useConnectionText } from './connections.text.ts'

/** Adds a connection, or changes one. */
export function ConnectionDialog({
  connection,
  onAdded,
  onClose,
}: {
  connection: Connection | null
  /** A new one is paired next, or named at Meta. */
  onAdded(connection: Connection, verifyToken: string): void
  onClose(): void
}) {
  const t = useConnectionText()
  const { demo } = useBranding()
  const { data: queues = [] } = useQuery(queueChoices)
  const form = useSchemaForm(ConnectionInput.omit({ lib: true, cloud: true }), {
    initialValues: {
      name: connection?.name ?? '',
      lib: (connection?.lib ?? '') as Lib | '',
      queueIds: connection?.queueIds ?? [],
      greetingMessage: connection?.greetingMessage ?? '',
      farewellMessage: connection?.farewellMessage ?? '',
      outOfHoursMessage: connection?.outOfHoursMessage ?? '',
      hours: connection?.hours ?? null,
      holidays: connection?.holidays ?? null,
      isDefault: connection?.isDefault ?? false,
      disableGroupMessages: connection?.disableGroupMessages ?? true,
      importOldMessages: connection?.importOldMessages ?? null,
      importRecentMessages: connection?.importRecentMessages ?? null,
      importOldMessagesGroups: connection?.importOldMessagesGroups ?? false,
      closedTicketsPostImported: connection?.closedTicketsPostImported ?? false,
      saasNotificationCenter: connection?.saasNotificationCenter ?? false,
      cloud: cloudValues(connection?.cloud ?? null),
    },
  })
  type Saving = { values: typeof form.values; current?: Seen }
  const [row] = useState(connection)
  const meanwhile = useMeanwhile()
  const save = useMutation({
    mutationFn: ({ values: { lib, cloud, ...values }, current }: Saving) => {
      const input = { ...values, ...(lib === 'cloud' && { cloud: cloudInput(cloud) }) }
      return connection
        ? changeConnection(connection.id, input, seenOf(row!, values, current))
        : addConnection({ ...input, lib: lib as Lib })
    },
    onSuccess(saved) {
      notify.done(t(connection ? 'saved' : 'created'))
      onClose()
      if (!connection) onAdded(saved, form.values.cloud.verifyToken)
    },
    onError(error, { values }) {
      if (meanwhile.asks(error, current => save.mutate({ values, current }))) return
      const field = error instanceof ApiError ? (error.field ?? '') : ''
      if (field.startsWith('cloud.')) form.setFieldError(field, errorText(error))
      else form.refused(error) || notify.failed(error)
    },
  })
  function submit(values: typeof form.values) {
    if (!values.lib) return notify.warn(t('selectType'))
    if (greetingMissing(values.queueIds, values.greetingMessage))
      return form.setFieldError('greetingMessage', t('greetingNeeded'))
    const wrong =
      values.lib === 'cloud' ? cloudErrors(values.cloud, connection?.cloud ?? null) : importErrors(values)
    if (Object.keys(wrong).length > 0) return form.setErrors(wrong)
    save.mutate({ values })
  }
  return (
    <Dialog title={connection ? t('edit') : t('add')} onClose={onClose} size={620} isUnsaved={form.isDirty()}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap={12}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
            <TextInput label={t('name')} data-autofocus {...form.getInputProps('name')} />
            <NativeSelect
              label={t('type')}
              disabled={connection !== null}
              data={[
                { value: '', label: t('chooseType'), disabled: true },
                { value: 'baileys', label: t('baileys') },
                { value: 'cloud', label: t('cloud') },
                ...(demo ? [{ value: 'simulator', label: t('simulator') }] : []),
              ]}
              {...form.getInputProps('lib')}
            />
          </SimpleGrid>
          {form.values.lib === 'cloud' && connection === null && <SignUp />}
          {form.values.lib === 'cloud' && <CloudFields known={connection?.cloud ?? null} form={form} />}
          <Checkbox.Group
            label={t('queues')}
            value={form.values.queueIds.map(String)}
            onChange={values => form.setFieldValue('queueIds', values.map(Number))}
          >
            <Group gap="4px 16px" mt={6}>
              {queues.map(queue => (
                <Checkbox key={queue.id} value={String(queue.id)} label={queue.name} />
              ))}
            </Group>
          </Checkbox.Group>
          <Textarea
            label={t('greeting')}
            autosize
            minRows={2}
            maxRows={6}
            {...form.getInputProps('greetingMessage')}
          />
          <Textarea
            label={t('farewell')}
            autosize
            minRows={2}
            maxRows={6}
            {...form.getInputProps('farewellMessage')}
          />
          <Textarea
            label={t('outOfHours')}
            description={t('outOfHoursHint')}
            autosize
            minRows={2}
            maxRows={6}
            {...form.getInputProps('outOfHoursMessage')}
          />
          <OwnHours
            value={form.values}
            hint={t('ownHoursHint')}
            wrong={Object.keys(form.errors)}
            onHours={hours => form.setFieldValue('hours', hours)}
            onHolidays={holidays => form.setFieldValue('holidays', holidays)}
          />
          <ConnectionSwitches form={form} />
          {form.values.lib === 'baileys' && <ImportFields form={form} />}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
      {meanwhile.question}
    </Dialog>
  )
}
