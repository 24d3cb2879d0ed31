import { type ApiSendMessageToken, ApiTokenInput } from '@balcao/contract/apiTokens.ts'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { notify } from '../../platform/notify.tsx'
import { clock, momentAt } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { saveApiToken } from './apiTokens.api.ts'
import { useApiTokenText } from './apiTokens.text.ts'

const STATUSES = ['open', 'pending', 'closed', 'destroy'] as const
const TICKETS = ['update', 'create'] as const

export function ApiTokenDialog({ token, onClose }: { token: ApiSendMessageToken | null; onClose(): void }) {
  const t = useApiTokenText()
  const queues = useQuery(queueChoices)
  const connections = useQuery(connectionChoices)
  // the default one is for people (TOKEN-008); a chosen one that has become it stays chosen
  const offered = connections.data?.filter(one => !one.isDefault || one.id === token?.whatsappId)
  const isWithout = connections.isError || offered?.length === 0
  return (
    <Dialog title={t(token ? 'edit' : 'add')} onClose={onClose}>
      <RowForm
        schema={ApiTokenInput}
        initialValues={{
          name: token?.name ?? '',
          ticketSetStatus: token?.ticketSetStatus ?? 'closed',
          ticketCreateOrUpdate: token?.ticketCreateOrUpdate ?? 'update',
          queueId: String(token?.queueId ?? ''),
          whatsappId: String(token?.whatsappId ?? ''),
          expiresAt: token?.expiresAt ?? '',
        }}
        row={token}
        isNew={token === null}
        done={t('saved')}
        gone={t('gone')}
        save={(values, _changed, seen) => saveApiToken(token?.id ?? null, ApiTokenInput.parse(values), seen)}
        onInvalid={errors => {
          if (errors.whatsappId) notify.warn(t('noConnection'))
        }}
        onClose={onClose}
      >
        {form => (
          <>
            <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
            <NativeSelect
              label={t('connection')}
              data={[{ value: '', label: t('choose') }, ...optionsOf(offered)]}
              {...form.getInputProps('whatsappId')}
              error={isWithout ? t('needsConnection') : form.errors.whatsappId && t('choose')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={12}>
              <NativeSelect
                label={t('status')}
                data={STATUSES.map(value => ({ value, label: t(value) }))}
                {...form.getInputProps('ticketSetStatus')}
              />
              <NativeSelect
                label={t('queue')}
                data={[{ value: '', label: t('noQueue') }, ...optionsOf(queues.data)]}
                {...form.getInputProps('queueId')}
                error={queues.isError ? t('loadFailed') : form.errors.queueId}
              />
            </SimpleGrid>
            <NativeSelect
              label={t('tickets')}
              description={t('ticketsHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={TICKETS.map(value => ({ value, label: t(value) }))}
              {...form.getInputProps('ticketCreateOrUpdate')}
            />
            <TextInput
              type="date"
              label={t('expires')}
              description={t('expiresHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              error={form.errors.expiresAt}
              value={dayOf(form.values.expiresAt)}
              onChange={event => form.setFieldValue('expiresAt', endOf(event.currentTarget.value))}
            />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}

const optionsOf = (rows: { id: number; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: String(id), label: name }))

/** The company’s calendar day on which it expires, and the moment at which that day ends. */
const dayOf = (expiresAt: string) => (expiresAt ? clock(expiresAt).format('YYYY-MM-DD') : '')
const endOf = (day: string) => (day ? momentAt(`${day}T23:59`) : '')
