import type { OpenLead } from '@balcao/contract/leads.ts'
import { useState } from 'react'
import { useBrandOutside } from '../../outside/brand.ts'
import { usePlainForm } from '../../platform/plain-form.ts'
import { PlainButton } from '../../ui/plain/button.tsx'
import { PlainField } from '../../ui/plain/field.tsx'
import { PlainPassword } from '../../ui/plain/password.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { AddressFields } from '../companies/address-fields.tsx'
import { fillByCnpj } from '../companies/cnpj.ts'
import { DocumentField } from '../companies/document-field.tsx'
import { LeadPlan, type PlanChosen } from './lead-plan.tsx'
import { type Completed, completeLead } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import { subscriptionOf, subscriptionValues } from './leads.values.ts'
import { NoticeContacts } from './notice-contacts.tsx'
import classes from './store.module.css'
import page from './store-page.module.css'
import { TermsCheck } from './terms-check.tsx'

interface Props {
  lead: OpenLead
  leadId: string
  onDone(completed: Completed): void
}

/** What is missing of a company. */
export function SubscriptionForm({ lead, leadId, onDone }: Props) {
  const t = useLeadText()
  const { asksPassword } = lead
  const { passwordLength } = useBrandOutside()
  const [chosen, choose] = useState<PlanChosen>({ plan: lead.plan, recurrence: lead.recurrence })
  const form = usePlainForm({
    values: subscriptionValues(lead, leadId),
    shape: async () =>
      (await import('./leads.shapes.ts')).subscriptionShape(
        { password: asksPassword, terms: lead.terms !== null },
        passwordLength,
      ),
    send: async values => onDone(await completeLead(subscriptionOf(values, chosen, asksPassword))),
  })
  return (
    <div className={classes.sides}>
      <form className={page.sheet} onSubmit={form.onSubmit} noValidate>
        <div className={classes.fields} data-wide>
          <fieldset className={classes.group}>
            <legend className={classes.legend}>{t('company')}</legend>
            <div className={classes.pair}>
              <DocumentField form={form} onLeave={written => void fillByCnpj(form, written)} />
              <PlainField
                label={t('companyName')}
                maxLength={150}
                autoComplete="organization"
                {...form.getInputProps('name')}
              />
              <PlainField label={t('legalName')} maxLength={150} {...form.getInputProps('companyName')} />
            </div>
          </fieldset>
          <AddressFields form={form} />
          <NoticeContacts form={form} />
          {asksPassword && (
            <fieldset className={classes.group}>
              <legend className={classes.legend}>{t('access')}</legend>
              <input type="hidden" name="username" autoComplete="username" value={lead.email} readOnly />
              <PlainPassword
                label={t('password')}
                autoComplete="new-password"
                {...form.getInputProps('password')}
              />
            </fieldset>
          )}
          {lead.terms && (
            <TermsCheck
              terms={lead.terms}
              accepted={form.values.termsVersion}
              error={form.errors.termsVersion}
              onChange={version => form.setFieldValue('termsVersion', version)}
            />
          )}
          <Refusal error={form.refusal} />
          <PlainButton type="submit" large busy={form.isSending}>
            {t('finish')}
          </PlainButton>
        </div>
      </form>
      <LeadPlan chosen={chosen} onChoose={choose} />
    </div>
  )
}
