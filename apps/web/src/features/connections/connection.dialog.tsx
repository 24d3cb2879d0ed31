import { greetingMissing } from '@balcao/contract/connections.rules.ts'
import { type Connection, ConnectionInput, type Lib } from '@balcao/contract/connections.ts'
import { Button, Checkbox, Group, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useBranding } from '../../shell/branding.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { queueChoices } from '../tickets/tickets.api.ts'
import { addConnection, changeConnection } from './connections.api.ts'
import { connectionText } from './connections.text.ts'

/** Adds a connection, or changes one. */
export function ConnectionDialog({
  connection,
  onClose,
}: {
  connection: Connection | null
  onClose(): void
}) {
  const t = connectionText()
  const { demo } = useBranding()
  const { data: queues = [] } = useQuery(queueChoices)
  const form = useSchemaForm(ConnectionInput.omit({ lib: true }), {
    initialValues: {
      name: connection?.name ?? '',
      lib: (connection?.lib ?? '') as Lib | '',
      queueIds: connection?.queueIds ?? [],
      greetingMessage: connection?.greetingMessage ?? '',
      farewellMessage: connection?.farewellMessage ?? '',
      isDefault: connection?.isDefault ?? false,
      disableGroupMessages: connection?.disableGroupMessages ?? true,
    },
  })
  const save = useMutation({
    mutationFn: ({ lib, ...values }: typeof form.values) =>
      connection ? changeConnection(connection.id, values) : addConnection({ ...values, lib: lib as Lib }),
    onSuccess() {
      notify.done(t(connection ? 'saved' : 'created'))
      onClose()
    },
    onError: error => form.refused(error) || notify.failed(error),
  })
  function submit(values: typeof form.values) {
    if (!values.lib) return notify.warn(t('selectType'))
    if (greetingMissing(values.queueIds, values.greetingMessage))
      return form.setFieldError('greetingMessage', t('greetingNeeded'))
    save.mutate(values)
  }
  return (
    <Dialog title={connection ? t('edit') : t('add')} onClose={onClose} size={620}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap={12}>
          <Group gap={12} grow align="start">
            <TextInput label={t('name')} data-autofocus {...form.getInputProps('name')} />
            <NativeSelect
              label={t('type')}
              disabled={connection !== null}
              data={[
                { value: '', label: t('chooseType'), disabled: true },
                { value: 'baileys', label: t('baileys') },
                ...(demo ? [{ value: 'simulator', label: t('simulator') }] : []),
              ]}
              {...form.getInputProps('lib')}
            />
          </Group>
          <Checkbox.Group
            label={t('queues')}
            value={form.values.queueIds.map(String)}
            onChange={values => form.setFieldValue('queueIds', values.map(Number))}
          >
            <Group gap={16} mt={6}>
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
          <Switch label={t('isDefault')} {...form.getInputProps('isDefault', { type: 'checkbox' })} />
          <Switch
            label={t('noGroups')}
            {...form.getInputProps('disableGroupMessages', { type: 'checkbox' })}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
