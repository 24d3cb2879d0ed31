import type { ClientCompany } from '@balcao/contract/clients.ts'
import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { AddressFields } from '../companies/address-fields.tsx'
import { fillByCnpj } from '../companies/cnpj.ts'
import { DocumentField } from '../companies/document-field.tsx'
import { FirstUser, Limits, Notifications } from './client-fields.tsx'
import classes from './client-form.module.css'
import { useClientText } from './clients.text.ts'
import { type ClientValues, clientValues } from './clients.values.ts'

interface Props {
  /** Null for a new company. */
  client: ClientCompany | null
  schema: z.ZodType
  done: string
  save(values: ClientValues): Promise<void>
}

/** Data of a company; its limits and switches are for masters. */
export function ClientForm({ client, schema, done, save: keep }: Props) {
  const t = useClientText()
  const isMaster = useMay('master')
  const form = useSchemaForm<ClientValues>(schema, { initialValues: clientValues(client) })
  const save = useMutation({
    mutationFn: keep,
    onSuccess: () => notify.done(done),
    onError: error => form.refused(error) || notify.failed(error),
  })
  return (
    <form className={classes.form} onSubmit={form.onSubmit(values => save.mutate(values))} noValidate>
      <Stack gap={12}>
        <FieldSection legend={t('company')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
            <DocumentField form={form} onLeave={written => void fillByCnpj(form, written)} />
            <TextInput
              required
              label={t('name')}
              maxLength={client ? 150 : 50}
              autoComplete="off"
              {...form.getInputProps('name')}
            />
            <TextInput
              required
              label={t('email')}
              type="email"
              autoComplete="off"
              {...form.getInputProps('email')}
            />
            {(['companyName', 'slogan', 'inscrMunicipal', 'inscrEstadual'] as const).map(field => (
              <TextInput key={field} label={t(field)} maxLength={150} {...form.getInputProps(field)} />
            ))}
          </SimpleGrid>
        </FieldSection>
        {!client && <FirstUser form={form} />}
        <AddressFields form={form} />
        <Notifications form={form} />
        {isMaster && <Limits form={form} companyId={client?.id ?? null} />}
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  )
}
