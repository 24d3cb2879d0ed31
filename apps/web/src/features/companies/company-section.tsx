import { CompanyInput, type OwnCompany } from '@balcao/contract/companies.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { UnsavedAsks } from '../../ui/dialog.tsx'
import { Late } from '../../ui/late.tsx'
import { seenOf } from '../../ui/list-screen/meanwhile.ts'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { AddressFields } from './address-fields.tsx'
import { ownCompany, saveCompany } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'
import { valuesOf } from './companies.values.ts'
import { DocumentField } from './document-field.tsx'
import { type LogoChoice, LogoField } from './logo-field.tsx'
import classes from './settings.module.css'

/** Name, slogan, logo, document number and address of the company. */
export function CompanySection() {
  const t = useCompanyText()
  const { companyId } = useUser()
  const { data, isError, error } = useQuery(ownCompany(companyId))
  return (
    <section className={classes.section}>
      <h2 className={classes.head}>{t('company')}</h2>
      {data ? (
        <CompanyForm company={data} />
      ) : (
        <Late>
          <p role="status">{isError && whyNot(error, t('failed'))}</p>
        </Late>
      )}
    </section>
  )
}

function CompanyForm({ company }: { company: OwnCompany }) {
  const t = useCompanyText()
  const [logo, setLogo] = useState<LogoChoice>({ url: company.logoUrl, file: null })
  const form = useSchemaForm(CompanyInput, { initialValues: valuesOf(company) })
  const [row, setRow] = useState(company)
  const meanwhile = useMeanwhile()
  const save = useMutation({
    mutationFn: ({ values, current }: { values: typeof form.values; current?: Seen }) =>
      saveCompany(
        company.id,
        { ...values, logoUrl: logo.url },
        logo.file,
        seenOf(row, { ...values, logoUrl: '' }, current),
      ),
    onSuccess(saved) {
      setRow(saved)
      notify.done(t('companySaved'))
      setLogo({ url: saved.logoUrl, file: null })
      form.setValues(valuesOf(saved))
      form.resetDirty(valuesOf(saved))
    },
    onError: (error, { values }) =>
      meanwhile.asks(error, current => save.mutate({ values, current })) ||
      form.refused(error) ||
      notify.failed(error),
  })
  return (
    <form onSubmit={form.onSubmit(values => save.mutate({ values }))} noValidate>
      <Stack gap={12}>
        <TextInput
          label={t('name')}
          maxLength={150}
          autoComplete="organization"
          {...form.getInputProps('name')}
        />
        <TextInput label={t('slogan')} maxLength={150} {...form.getInputProps('slogan')} />
        <LogoField logo={logo} onChange={setLogo} />
        <DocumentField form={form} />
        <AddressFields form={form} />
        <Group gap={12}>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
          <UnsavedAsks isUnsaved={form.isDirty() || logo.file !== null || logo.url !== company.logoUrl} />
        </Group>
      </Stack>
      {meanwhile.question}
    </form>
  )
}
