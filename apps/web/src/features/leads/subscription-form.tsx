import { type OpenLead, SubscriptionInput } from '@balcao/contract/leads.ts'
import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { AddressFields } from '../companies/address-fields.tsx'
import { fillByCnpj } from '../companies/cnpj.ts'
import { DocumentField } from '../companies/document-field.tsx'
import { completeLead } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { subscriptionOf, subscriptionValues } from './leads.values.ts'
import { NoticeContacts } from './notice-contacts.tsx'
import { PlanDetails } from './plan-details.tsx'
import classes from './store.module.css'
import page from './store-page.module.css'

interface Props {
  lead: OpenLead
  leadId: string
  /** With the end of the trial. */
  onDone(trialEndsAt: string): void
}

/** What is missing of a company. */
export function SubscriptionForm({ lead, leadId, onDone }: Props) {
  const t = useLeadText()
  const [refusal, setRefusal] = useState<unknown>(null)
  const { asksPassword } = lead
  const schema = asksPassword
    ? SubscriptionInput.required({ password: true })
    : SubscriptionInput.omit({ password: true })
  const form = useSchemaForm(schema, { initialValues: subscriptionValues(lead, leadId) })
  const complete = useMutation({
    mutationFn: (values: typeof form.values) => completeLead(subscriptionOf(values, asksPassword)),
    onMutate: () => setRefusal(null),
    onSuccess: ({ trialEndsAt }) => onDone(trialEndsAt),
    onError: error => setRefusal(form.refused(error) ? null : error),
  })
  return (
    <div className={classes.sides}>
      <form className={page.sheet} onSubmit={form.onSubmit(values => complete.mutate(values))} noValidate>
        <Stack gap={18}>
          <fieldset className={classes.group}>
            <legend className={classes.legend}>{t('company')}</legend>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
              <DocumentField form={form} onLeave={written => void fillByCnpj(form, written)} />
              <TextInput
                label={t('companyName')}
                maxLength={150}
                autoComplete="organization"
                {...form.getInputProps('name')}
              />
              <TextInput label={t('legalName')} maxLength={150} {...form.getInputProps('companyName')} />
            </SimpleGrid>
          </fieldset>
          <AddressFields form={form} />
          <NoticeContacts form={form} />
          {asksPassword && (
            <fieldset className={classes.group}>
              <legend className={classes.legend}>{t('access')}</legend>
              <input type="hidden" name="username" autoComplete="username" value={lead.email} readOnly />
              <PasswordField
                label={t('password')}
                autoComplete="new-password"
                {...form.getInputProps('password')}
              />
            </fieldset>
          )}
          <Refusal error={refusal} />
          <Button type="submit" size="md" loading={complete.isPending}>
            {t('finish')}
          </Button>
        </Stack>
      </form>
      {lead.plan && <PlanDetails plan={lead.plan} recurrence={lead.recurrence} />}
    </div>
  )
}
