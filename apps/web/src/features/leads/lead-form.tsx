import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { usePlainForm } from '../../platform/plain-form.ts'
import { PlainButton } from '../../ui/plain/button.tsx'
import { PlainField } from '../../ui/plain/field.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { askForPlan } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'
import page from './store-page.module.css'

interface Props {
  planId: number
  recurrence: Plan['recurrence']
  /** With the lead's id where no mail is set up. */
  onTaken(leadId: string | null): void
}

/** Contact data of a lead who wants to try the plan. */
export function LeadForm({ planId, recurrence, onTaken }: Props) {
  const t = useLeadText()
  const form = usePlainForm({
    values: { name: '', whatsAppNumber: '', email: '', coupon: '', website: '' },
    shape: async () => (await import('./leads.shapes.ts')).leadShape,
    send: async values => onTaken((await askForPlan({ ...values, planId, recurrence })).id),
  })
  const { value, onChange } = form.getInputProps('website')
  return (
    <section className={page.sheet} aria-labelledby="lead-form">
      <h2 className={page.head} id="lead-form">
        {t('you')}
      </h2>
      <form className={classes.fields} onSubmit={form.onSubmit} noValidate>
        <PlainField label={t('name')} autoComplete="name" {...form.getInputProps('name')} />
        <PlainField
          label={t('whatsApp')}
          description={t('whatsAppHint')}
          type="tel"
          autoComplete="tel"
          maxLength={30}
          {...form.getInputProps('whatsAppNumber')}
        />
        <PlainField label={t('email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
        <PlainField label={t('coupon')} autoComplete="off" maxLength={30} {...form.getInputProps('coupon')} />
        {/* honeypot: bots fill in every field */}
        <div className={classes.unseen} aria-hidden>
          <label>
            {t('leaveEmpty')}
            <input tabIndex={-1} autoComplete="off" value={value} onChange={onChange} />
          </label>
        </div>
        <Refusal error={form.refusal} />
        <PlainButton type="submit" large busy={form.isSending}>
          {t('start')}
        </PlainButton>
        <p className={classes.quiet} style={{ margin: 0 }}>
          {t('trial', { days: TRIAL_DAYS })}
        </p>
      </form>
    </section>
  )
}
